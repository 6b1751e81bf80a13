import { type Kysely, sql } from 'kysely'
import { parseDatabaseUrl } from './database-url.ts'
import { listen } from './listener.ts'
import { createPool } from './pool.ts'
import { NO_LIMITS } from './session-settings.ts'
import { reasonOf } from '#src/start/reason.ts'
import type { Outcomes } from '#src/database-clock.ts'
import type { Database } from '#src/tables.ts'

/** Interval of the heartbeat on the connection for job notifications, in milliseconds. Workers also poll. */
const HEARTBEAT_MS = 5_000
/** How long a statement of the job queue may run, in milliseconds. */
const STATEMENT_MS = 30_000

type Options = {
  /** The database over other connections. */
  db: Kysely<Database>
  /** Most connections at once. */
  max: number
  /** Called for each statement and for lost connections. */
  outcomes: Outcomes
}

/** Connections for pg-boss (its `IDatabase`): to the same hosts and with the same listener as all others. */
export function createJobDatabase(url: string, { db, max, outcomes }: Options) {
  const pool = createPool(parseDatabaseUrl(url), {
    max,
    application_name: 'switchboard jobs',
    settings: { ...NO_LIMITS, statement_timeout: STATEMENT_MS },
    onLost: outcomes.failed,
  })
  return {
    async executeSql(text: string, values: unknown[] = []) {
      const session = await pool.connect()
      try {
        const result = await session.query<object>(text, values)
        session.release()
        outcomes.worked()
        return result
      } catch (error) {
        // A text of several statements may have left a transaction open.
        session.release(true)
        throw error
      }
    },
    async listen(channel: string, onMessage: (payload: string) => void, onConnect: () => void) {
      const listener = listen(
        { url, db, channel, heartbeatMs: HEARTBEAT_MS },
        { onMessage, onConnect, onLost: (error) => outcomes.failed(reasonOf(error)) },
      )
      return { close: listener.stop }
    },
    close: () => pool.end(),
  }
}

/**
 * The schema of the job queue, in addition to the schema for new tables: two Switchboards may share a database, each in
 * a separate schema. `exists`: an earlier start or an operator has made the schema.
 */
export async function jobSchema(db: Kysely<Database>): Promise<{ name: string; exists: boolean }> {
  const { rows } = await sql<{ name: string; exists: boolean }>`
    select name, to_regnamespace(quote_ident(name)) is not null as exists
    from (select case current_schema() when 'public' then 'pgboss' else current_schema() || '_pgboss' end as name) as named`.execute(
    db,
  )
  return rows[0] ?? { name: 'pgboss', exists: false }
}
