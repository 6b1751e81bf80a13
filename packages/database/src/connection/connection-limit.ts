import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

type ConnectionLimit = { scope: 'the server' | 'this database' | 'this role'; used: number; max: number }

/** The connections in use and the limit, of the server, this database or this role: where the fewest are free. */
export async function connectionLimit(db: Kysely<Database>): Promise<ConnectionLimit> {
  const { rows } = await sql<ConnectionLimit>`
    with clients as (select datname, usename from pg_stat_activity where backend_type = 'client backend'),
    limits as (
      select 'the server' as scope, (select count(*) from clients) as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
      union all
      select 'this database', (select count(*) from clients where datname = current_database()), datconnlimit
      from pg_database where datname = current_database() and datconnlimit >= 0
      union all
      select 'this role', (select count(*) from clients where usename = current_user), rolconnlimit
      from pg_roles where rolname = current_user and rolconnlimit >= 0
    )
    select * from limits order by max - used limit 1`.execute(db)
  const [limit] = rows
  if (limit === undefined) throw new Error('PostgreSQL returned no row.')
  return limit
}
