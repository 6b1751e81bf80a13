import { connectionLimit } from '@switchboard/database/connection/connection-limit'
import type { SystemReport } from '@switchboard/contract/system'
import { IS_READ_ONLY } from '@switchboard/database/connection/pool'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Milliseconds of one `select 1`, with the wait for a connection. */
export async function latencyMs(db: Kysely<Database>): Promise<number> {
  const started = performance.now()
  await sql`select 1`.execute(db)
  return performance.now() - started
}

type State = Pick<
  SystemReport['database'],
  'version' | 'is_writable' | 'connections_used' | 'connections_max' | 'bytes' | 'migrations_done'
>

/** Version, size, migrations, and the connections of the nearest limit. */
export async function databaseState(db: Kysely<Database>): Promise<State> {
  const { used: connections_used, max: connections_max } = await connectionLimit(db)
  const { rows } = await sql<Omit<State, 'connections_used' | 'connections_max'>>`
    select current_setting('server_version') as version, not ${sql.raw(IS_READ_ONLY)} as is_writable,
      pg_database_size(current_database()) as bytes, (select count(*) from migrations) as migrations_done`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return { ...row, connections_used, connections_max }
}

/** The newest run that ended with an outcome. */
export async function newestRun(db: Kysely<Database>, outcome: 'succeeded' | 'failed') {
  return await db
    .selectFrom('runs')
    .select(['finished_at', 'reason', 'message'])
    .where('outcome', '=', outcome)
    .where('finished_at', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest mail that the worker had to send: a link, or a notice about a new sign-in, a changed account or alerts. */
export async function newestMail(db: Kysely<Database>): Promise<SystemReport['mail']['newest']> {
  const { rows } = await sql<NonNullable<SystemReport['mail']['newest']>>`
    select mail_state as state, at as queued_at, mail_problem as problem
    from (
      select mail_state, created_at as at, mail_problem from links
      union all
      select mail_state, first_at, mail_problem from known_devices
      union all
      select mail_state, changed_at, mail_problem from account_notices
      union all
      select mail_state, created_at, mail_problem from alert_mails
    ) as mails
    where mail_state is not null order by at desc limit 1`.execute(db)
  return rows[0] ?? null
}
