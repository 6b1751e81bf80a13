import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** A file of the console by its name below `/assets/`. */
export async function contentOfFile(db: Kysely<Database>, name: string): Promise<Buffer | undefined> {
  const file = await db.selectFrom('console_files').select('content').where('name', '=', name).executeTakeFirst()
  return file?.content
}

/** Notes that a server with these files starts now. Returns the names that are stored. */
export async function noteStart(db: Kysely<Database>, names: readonly string[]): Promise<Set<string>> {
  const stored = await db
    .updateTable('console_files')
    .set({ started_at: sql`now()` })
    .where('name', 'in', names)
    .returning('name')
    .execute()
  return new Set(stored.map(({ name }) => name))
}

export async function insertFile(db: Kysely<Database>, name: string, content: Buffer): Promise<void> {
  await db
    .insertInto('console_files')
    .values({ name, content })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the files that no server has started with for so many days. */
export async function deleteOldFiles(db: Kysely<Database>, days: number): Promise<void> {
  await db
    .deleteFrom('console_files')
    .where('started_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute()
}
