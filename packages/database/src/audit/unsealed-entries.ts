import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/**
 * The entries that wait to be sealed: nothing proves them yet. `oldest_seconds` is the age of the oldest one, and 0
 * without any. With a worker, no entry is older than about a second.
 */
export type Unsealed = { entries: number; oldest_seconds: number }

export async function unsealedEntries(db: Kysely<Database>): Promise<Unsealed> {
  const { rows } = await sql<Unsealed>`
    select pg_catalog.count(*) as entries,
      coalesce(
        greatest(pg_catalog.date_part('epoch', pg_catalog.now() operator(pg_catalog.-) pg_catalog.min(at)), 0), 0
      ) as oldest_seconds
    from audit_unsealed`.execute(db)
  return rows[0] ?? { entries: 0, oldest_seconds: 0 }
}
