import { urlOfDatabase } from '@switchboard/database/connection/database-url'
import { openSingleConnection } from '@switchboard/database/connection/single-connection'
import { StartError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** SQLSTATEs of a missing right, of a database with connections, and of one that exists. */
const [NO_RIGHT, IN_USE, EXISTS] = ['42501', '55006', '42P04']

/**
 * Runs `work` with the address of an empty database on the same server, which is dropped afterwards. Throws a StartError
 * for a role that may not create databases, and while another process uses such a database.
 */
export async function withScratchDatabase<Result>(
  url: string,
  work: (scratchUrl: string) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openSingleConnection(url)
  try {
    const { name, role } = await namesOf(db)
    try {
      // A killed verification has left it.
      await sql`drop database if exists ${sql.id(name)}`.execute(db)
      await sql`create database ${sql.id(name)} template template0 encoding 'UTF8'`.execute(db)
    } catch (error) {
      throw sentenceOf(error, { name, role })
    }
    try {
      return await work(urlOfDatabase(url, name))
    } finally {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db)
    }
  } finally {
    await close()
  }
}

type Names = { name: string; role: string }

/** The name of the scratch database, and the role of the connection. */
async function namesOf(db: Kysely<Database>): Promise<Names> {
  const { rows } = await sql<Names>`
    select left(current_database(), 50) || '_scratch' as name, current_user::text as role`.execute(db)
  const [names] = rows
  if (names === undefined) throw new Error('PostgreSQL returned no row.')
  return names
}

function sentenceOf(error: unknown, { name, role }: Names): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === NO_RIGHT)
    return new StartError(
      `A verification needs a scratch database, but the role ${role} may not create one. Run: alter role "${role}" createdb`,
      { cause: error },
    )
  if (code === IN_USE || code === EXISTS)
    return new StartError(`Another process uses the database ${name}. Wait for its end.`, { cause: error })
  return error
}
