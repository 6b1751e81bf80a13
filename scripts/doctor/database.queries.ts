import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

export async function serverVersion(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return rows[0]?.version ?? ''
}

export async function isSuperuser(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ is_superuser: boolean }>`
    select rolsuper as is_superuser from pg_roles where rolname = current_user`.execute(db)
  return rows[0]?.is_superuser === true
}

/** The clock of the database, in ms since the epoch. */
export async function databaseTimeMs(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return rows[0]?.ms ?? Number.NaN
}

export async function trigramVersions(
  db: Kysely<Database>,
): Promise<{ installed: string | null; available: string | null }> {
  const { rows } = await sql<{ installed: string | null; available: string | null }>`
    select (select extversion from pg_extension where extname = 'pg_trgm') as installed,
      (select default_version from pg_available_extensions where name = 'pg_trgm') as available`.execute(db)
  return rows[0] ?? { installed: null, available: null }
}

/** The size of the database, such as `12 MB`. */
export async function databaseSize(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ size: string }>`
    select pg_size_pretty(pg_database_size(current_database())) as size`.execute(db)
  return rows[0]?.size ?? ''
}

/** Jobs that a worker could take now, and for how long the oldest waits, in seconds. */
export async function waitingJobs(db: Kysely<Database>, schema: string): Promise<{ count: number; seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*) as count, coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
    from ${sql.table(`${schema}.job`)} where state in ('created', 'retry') and start_after <= now()`.execute(db)
  return rows[0] ?? { count: 0, seconds: 0 }
}

/** Tasks of active tenants that are due, and for how long the oldest is, in seconds. */
export async function overdueTasks(db: Kysely<Database>): Promise<{ count: number; seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    select count(*) as count, coalesce(extract(epoch from now() - min(next_run)), 0)::float8 as seconds
    from tasks where not is_paused and tenant_status = 'active' and next_run <= now()`.execute(db)
  return rows[0] ?? { count: 0, seconds: 0 }
}

/** The settings that the database or the role sets for sessions, such as `work_mem=8MB`, each with its source. */
export async function givenSettings(db: Kysely<Database>): Promise<{ owner: string; name: string; value: string }[]> {
  const { rows } = await sql<{ owner: string; name: string; value: string }>`
    select case when setrole = 0 then 'database' when setdatabase = 0 then 'role' else 'role in this database' end as owner,
      split_part(setting, '=', 1) as name, substring(setting from position('=' in setting) + 1) as value
    from pg_db_role_setting, unnest(setconfig) as setting
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and setrole in (0, (select oid from pg_roles where rolname = session_user))
    order by setrole, setdatabase, setting`.execute(db)
  return rows
}
