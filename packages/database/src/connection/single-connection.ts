import { Kysely, PostgresDialect } from 'kysely'
import { Client, type ClientBase } from 'pg'
import { getTypeParser } from './connect.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { createPool } from './pool.ts'
import { NO_LIMITS } from './session-settings.ts'
import { connectionFault } from '#src/start/connection-fault.ts'
import { START_MS } from '#src/start/until-started.ts'
import type { Database } from '#src/tables.ts'

/** Rows that a policy hides from the role fail a backup, so that they are never missing from it. */
const SETTINGS = { ...NO_LIMITS, row_security: 'off' }

type SingleConnection = {
  db: Kysely<Database>
  /** For COPY in the transactions of `db`. */
  client: ClientBase
  /** Closes the connection, also while a statement runs. An open transaction is rolled back. */
  close: () => Promise<void>
}

/** Opens one connection without time limits. Throws a StartError when no host answers. */
export async function openSingleConnection(url: string): Promise<SingleConnection> {
  const database = parseDatabaseUrl(url)
  const pool = createPool(database, {
    max: 1,
    application_name: 'switchboard backup',
    settings: SETTINGS,
    types: { getTypeParser },
    patienceMs: START_MS,
    // A broken connection fails its statements.
    onLost: () => undefined,
  })
  try {
    const session = await pool.connect()
    const { client, query } = session
    const close = async () => {
      if (client instanceof Client) void client.end()
      session.release(true)
      await pool.end()
    }
    const single = {
      connect: async () => ({ query, release: () => undefined }),
      end: async () => undefined,
      options: {},
    }
    return { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool: single }) }), client, close }
  } catch (error) {
    await pool.end()
    throw connectionFault(error, { url, variable: 'DATABASE_URL' })
  }
}
