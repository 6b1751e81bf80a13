import { KEYS_END, TOTAL_COUNTED_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { isExpiring, refusedKeys } from './attention.queries.ts'
import { type Found, type Place, type Search, sortedMatches } from './sorted-matches.queries.ts'
import { type Total, totalUpTo } from './totals.queries.ts'

// Tenants that are found by their keys. `query` selects them.

const BY_END = { sort: KEYS_END, column: 'keys_end', key: 'key_id' }

/** Keys that are read first: they show that more tenants have some than are counted, unless many have several. */
const READ_FIRST = TOTAL_COUNTED_MAX + 100

/** Finds tenants of which few have such keys. */
export function searchByKeys<DB, Table extends keyof DB, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
): Search<Row> {
  return { find: async (place) => await allSorted(db, query, place) }
}

/** Joins each tenant to the highest refusal count among its keys, in the column named by `MOST_REFUSED`. */
export function withMostRefused<Row>(query: SelectQueryBuilder<Database, 'tenants', Row>) {
  const most = sql<{ refused_tenant: string; most_refused: number }>`(
    select tenant_id as refused_tenant, max(refused) as most_refused from ${refusedKeys} as keys group by tenant_id
  )`.as('refused')
  return query.innerJoin(most, 'refused_tenant', 'tenants.id').select('most_refused')
}

/**
 * Finds all tenants whose keys end soon. More than `TOTAL_COUNTED_MAX` are neither counted nor sorted: the list is in the
 * order in which their keys end, for which there is an index (docs/decisions/0018).
 */
export function searchByEndingKeys<Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, 'tenants', Row>,
): Search<Row> {
  const find = async (place: Place) => {
    if (place.sort === KEYS_END) return await pageByEnd(db, query, place)
    const total = place.isFirstPage && (await totalOfEnding(db))
    return total && total.isMore
      ? await pageByEnd(db, query, { ...place, ...BY_END, descending: false }, total)
      : await allSorted(db, query, place)
  }
  return { find, other: BY_END }
}

/** How many tenants have such keys, counted to `TOTAL_COUNTED_MAX`. */
async function totalOfEnding(db: Kysely<Database>): Promise<Total> {
  const { rows } = await sql<{ tenants: number; keys: number }>`
    select count(distinct tenant_id) as tenants, count(*) as keys
    from (select tenant_id from api_keys where ${isExpiring} limit ${sql.lit(READ_FIRST)}) as first`.execute(db)
  const { tenants = 0, keys = 0 } = rows[0] ?? {}
  if (tenants > TOTAL_COUNTED_MAX || keys < READ_FIRST) return totalUpTo(tenants, TOTAL_COUNTED_MAX)
  const all = await sql<{ tenants: number }>`
    select count(distinct tenant_id) as tenants from api_keys where ${isExpiring}`.execute(db)
  return totalUpTo(all.rows[0]?.tenants ?? tenants, TOTAL_COUNTED_MAX)
}

async function allSorted<DB, Table extends keyof DB, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  place: Place,
): Promise<Found<Row>> {
  const { rows, total } = await sortedMatches(db, query, place)
  return { rows, total: totalUpTo(total), place }
}

/** Each tenant once, where its first key ends. */
async function pageByEnd<Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, 'tenants', Row>,
  place: Place,
  total?: Total,
): Promise<Found<Row>> {
  const direction = place.descending ? sql`desc` : sql`asc`
  const order = sql`order by keys_end ${direction}, key_id ${direction}`
  const { rows } = await sql<{ keys_end: string; key_id: string } & Row>`
    with soonest as (
      select * from (
        select tenant_id as id, expires_at as keys_end, id as key_id from api_keys where ${isExpiring}
      ) as ending
      -- Asked of one after the other: as a join it would begin with all keys.
      where ${place.isBeyond} and not coalesce(exists (
        select from api_keys
        where tenant_id = ending.id and ${isExpiring} and (expires_at, api_keys.id) < (keys_end, key_id)
      ))
      ${order} limit ${place.limit}
    )
    select keys_end, key_id, page.*
    from soonest join (${query.clearWhere()}) as page using (id)
    ${order}`.execute(db)
  return { rows, total: total ?? (await totalOfEnding(db)), place }
}
