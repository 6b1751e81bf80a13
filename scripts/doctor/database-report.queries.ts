import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Settings of PostgreSQL that explain how it behaves. Others may hold a secret, such as `primary_conninfo`. */
const SETTINGS = [
  'server_version',
  'max_connections',
  'shared_buffers',
  'work_mem',
  'maintenance_work_mem',
  'effective_cache_size',
  'random_page_cost',
  'fsync',
  'synchronous_commit',
  'autovacuum',
  'wal_level',
  'max_wal_size',
  'server_encoding',
  'lc_collate',
  'jit',
]

/** Sizes, settings, connections and migrations of a database, without a row of its tables. */
export async function databaseReport(db: Kysely<Database>) {
  const settings = await sql<{ name: string; setting: string; unit: string | null }>`
    select name, setting, unit from pg_settings where name = any(${SETTINGS}) order by name`.execute(db)
  const tables = await sql<{ name: string; rows: number; dead_rows: number; bytes: number }>`
    select schemaname || '.' || relname as name, n_live_tup as rows, n_dead_tup as dead_rows,
      pg_total_relation_size(relid) as bytes, last_autovacuum
    from pg_stat_user_tables order by bytes desc`.execute(db)
  const connections = await sql<{ application_name: string; state: string; count: number }>`
    select application_name, state, count(*) as count from pg_stat_activity
    where datname = current_database() group by 1, 2 order by 1, 2`.execute(db)
  const migrations = await sql<{ name: string; applied_at: string }>`
    select name, applied_at from migrations order by name`.execute(db)
  return {
    settings: settings.rows,
    tables: tables.rows,
    connections: connections.rows,
    migrations: migrations.rows,
  }
}
