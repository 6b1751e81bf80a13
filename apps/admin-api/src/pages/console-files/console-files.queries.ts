import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Content of a console file by its name below `/assets/`. */
export async function contentOfFile(db: Kysely<Database>, name: string): Promise<Buffer | undefined> {
  const file = await db.selectFrom('console_files').select('content').where('name', '=', name).executeTakeFirst()
  return file?.content
}

/** Records the start of a server with these files. Returns the names of files already stored. */
export async function recordStart(db: Kysely<Database>, names: readonly string[]): Promise<Set<string>> {
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

/** Deletes files without a server start in the last `days` days. */
export async function deleteOldFiles(db: Kysely<Database>, days: number): Promise<void> {
  await db
    .deleteFrom('console_files')
    .where('started_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .execute()
}
