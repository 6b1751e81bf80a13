import { type Kysely, sql } from 'kysely'
import { IS_READ_ONLY } from './connection/pool.ts'
import type { Database } from './tables.ts'

/**
 * Whether a migrated database is read-only, and a text that identifies it to all its servers: a hash of its place in
 * PostgreSQL and of its first migration, so that every other database or schema has a different one.
 */
export async function readState(db: Kysely<Database>): Promise<{ isReadOnly: boolean; installation: string }> {
  const { rows } = await sql<{ is_read_only: boolean; installation: string }>`
    select ${sql.raw(IS_READ_ONLY)} as is_read_only, left(encode(sha256(convert_to(concat_ws(' ',
      (select oid from pg_database where datname = current_database()), current_schema(),
      (select applied_at from migrations order by name limit 1)
    ), 'UTF8')), 'hex'), 16) as installation`.execute(db)
  const [state] = rows
  if (state === undefined) throw new Error('PostgreSQL returned no row.')
  return { isReadOnly: state.is_read_only, installation: state.installation }
}
