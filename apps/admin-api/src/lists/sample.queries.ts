import { TOTAL_COUNTED_MAX, TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'

// What a sample of a table tells about how many rows match: nothing about few, and much sooner than an index about many.

/** About so many rows are looked at, in whole pages. */
const SAMPLE = 2_500
/** So many at first: of most terms nothing matches there, or very much. */
const GLANCE = 800
/** A table of fewer pages is not worth it. */
const SAMPLED_FROM = 1_000
/** A sample proves that more match than a number when it stands for so many times as many … */
const SAMPLE_MARGIN = 6
/** … on so many of its pages. */
const PAGES_THAT_MATCH = 12

/** How many rows match by a sample, and what share of the table that is. */
export type Proof = { rows: number; share: number }

/**
 * The proof of a sample that more than `TOTAL_COUNTED_MAX` rows match; null where it proves nothing, and of a small table.
 * It is the same every time, and wrong about once in a million terms at worst, also where the rows that match stand
 * together on few pages (docs/decisions/0017). Where more than a term has to match, a glance would seldom do.
 */
export async function proofOf<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, object>,
  isNarrowed: boolean,
): Promise<Proof | null> {
  for (const size of isNarrowed ? [SAMPLE] : [GLANCE, SAMPLE]) {
    const { found, pages, table_rows } = await sampleOf(db, table, query, size)
    if (found === 0) return null
    const share = found / size
    const rows = share * table_rows
    if (pages >= PAGES_THAT_MATCH && rows > SAMPLE_MARGIN * TOTAL_COUNTED_MAX) return { rows, share }
  }
  return null
}

/** How many rows match among about `size`, on how many pages, and how many rows the table has. */
async function sampleOf<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  query: SelectQueryBuilder<Database, Table, object>,
  size: number,
): Promise<{ found: number; pages: number; table_rows: number }> {
  const ofTable = sql`oid = ${sql.lit(table)}::regclass`
  const percent = sql`
    select case when relpages >= ${sql.lit(SAMPLED_FROM)} then least(100, ${sql.lit(100 * size)} / greatest(reltuples, 1)) else 0 end
    from pg_class where ${ofTable}`
  const found = query
    .clearSelect()
    .select([sql<number>`count(*)`.as('found'), sql<number>`count(distinct (place::text::point)[0])`.as('pages')])
  // Within what it begins, the name of the table stands for the sample.
  const { rows } = await sql<{ found: number; pages: number; table_rows: number }>`
    with
      ${sql.table(table)} as (
        select *, ctid as place from ${sql.table(table)} tablesample system ((${percent})) repeatable (4)
      ),
      found as (${found})
    select found, pages, reltuples as table_rows from found, pg_class where ${ofTable}`.execute(db)
  return rows[0] ?? { found: 0, pages: 0, table_rows: 0 }
}

/** More than so many match. */
export function provenBy({ rows }: Proof): number {
  return rows > SAMPLE_MARGIN * TOTAL_EXACT_MAX ? TOTAL_EXACT_MAX : TOTAL_COUNTED_MAX
}
