import { KEY_PREFIX, parseKeyMask } from '@switchboard/contract/api-keys/key-format'
import {
  apiKeyList,
  type ApiKeyListQuery,
  type ApiKeyRow,
  type KeyExpiry,
  type KeyOrigins,
  type KeyStateFilter,
} from '@switchboard/contract/api-keys/key-list'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { keyNeedsAttention } from '#src/attention/attention.queries.ts'
import { type Counter, totalFromCounters } from '#src/lists/counters.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { contains, isSearch } from '#src/lists/search.queries.ts'
import {
  callsOfKey,
  COMPUTED_KEY_COLUMNS,
  KEY_COLUMNS,
  lastUsedAt,
  oldKeys,
  recentCalls,
  refusedOfKey,
} from './key-columns.queries.ts'
import { expiryOfKey, isInState, isWorking, placeOfState, stateOfKey } from '#src/attention/key-state.queries.ts'

type Filters = FiltersOf<ApiKeyListQuery>

const COUNTERS: readonly Counter[] = [
  { filters: [], facet: 'fold' },
  { filters: ['fold'], facet: 'fold' },
]

/** The values of the sort orders. */
const SORT_VALUES: Record<string, RawBuilder<string | number>> = {
  name: sql`api_keys.name`,
  tenant_name: sql`api_keys.tenant_name`,
  created_at: sql`api_keys.created_at`,
  expires_at: expiryOfKey,
  state: placeOfState,
  calls: callsOfKey,
  refused: refusedOfKey,
  last_used_at: sql`coalesce(${lastUsedAt}, '1970-01-01T00:00:00Z')`,
}
/** Values that change with time or traffic have no index: all matching keys are collected and sorted. */
const VOLATILE: ReadonlySet<string> = new Set(['state', 'calls', 'refused', 'last_used_at'])

const DAYS = { week: 7, month: 30 } as const

/** One page of keys. */
export async function pageOfApiKeys(
  db: Kysely<Database>,
  query: ApiKeyListQuery & { limit: number },
): Promise<Page<ApiKeyRow>> {
  const { column, isDescending } = orderOf(query)
  return await readPage(
    db,
    listedKeys(db, query).select('sort_value'),
    { ...query, sort: `${isDescending ? '-' : ''}${column}` },
    {
      column: 'sort_value',
      second: column === 'tenant_name' ? 'created_at' : undefined,
      total: totalFromCounters('api_keys', COUNTERS, query),
      isCollected: isSearch(query.q) || query.attention !== undefined || VOLATILE.has(column),
    },
  )
}

/** The rows of the list, sorted. */
export function sortedApiKeys(db: Kysely<Database>, query: Filters) {
  return inOrder(listedKeys(db, query), query)
}

/** The matching keys with the columns of the file, sorted. */
export function exportedApiKeys(db: Kysely<Database>, query: Filters) {
  const exported = matchingKeys(db, query)
    .select(COMPUTED_KEY_COLUMNS)
    .select([stateOfKey.as('state'), callsOfKey.as('calls_7_days'), refusedOfKey.as('refused_7_days')])
  return inOrder(exported, query)
}

function inOrder<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>, filters: Filters) {
  const { column, isDescending } = orderOf(filters)
  const [forwards, backwards] = isDescending ? (['desc', 'asc'] as const) : (['asc', 'desc'] as const)
  const sorted = query.orderBy(sql`sort_value`, forwards)
  if (column !== 'tenant_name') return sorted.orderBy(sql`id`, forwards)
  return sorted.orderBy(sql`created_at`, backwards).orderBy(sql`id`, backwards)
}

function listedKeys(db: Kysely<Database>, query: Filters) {
  return matchingKeys(db, query)
    .select(COMPUTED_KEY_COLUMNS)
    .select(recentCalls.as('recent_calls'))
    .select((query.fold === undefined ? sql<ApiKeyRow['old_keys']>`'[]'::json` : oldKeys).as('old_keys'))
}

function matchingKeys(db: Kysely<Database>, query: Filters) {
  const { q, tenant_id, state, expiry, origins, attention, fold } = query
  const value = SORT_VALUES[orderOf(query).column] ?? sql`api_keys.created_at`
  const sorted = sql<{ sort_value: string | number }>`(select ${value} as sort_value)`.as<'sorted'>('sorted')
  return db
    .selectFrom('api_keys')
    .innerJoinLateral(sorted, (join) => join.onTrue())
    .select(KEY_COLUMNS)
    .where('deleted_at', 'is', null)
    .$if(fold !== undefined, (keys) => keys.where('is_replaced', '=', false))
    .$if(tenant_id !== undefined, (keys) => keys.where('tenant_id', '=', tenant_id ?? ''))
    .$if(state !== undefined, (keys) => keys.where(hasState(state ?? 'any_working')))
    .$if(expiry !== undefined, (keys) => keys.where(expires(expiry ?? 'never')))
    .$if(origins !== undefined, (keys) => keys.where(hasOrigins(origins ?? 'any')))
    .$if(attention !== undefined, (keys) => keys.where(keyNeedsAttention(attention ?? 'keys_expiring')))
    .$if(isSearch(q), (keys) => keys.where(isFound(q ?? '')))
}

/** The keys of one tenant have one tenant name, so they are sorted by their creation alone. */
function orderOf({ sort = apiKeyList.defaultSort, tenant_id }: Filters): { column: string; isDescending: boolean } {
  const column = sort.replace(/^-/, '')
  const isDescending = sort.startsWith('-')
  if (column === 'tenant_name' && tenant_id !== undefined) return { column: 'created_at', isDescending: !isDescending }
  return { column, isDescending }
}

function hasState(state: KeyStateFilter): RawBuilder<SqlBool> {
  return state === 'any_working' ? isWorking : isInState(state)
}

function hasOrigins(origins: KeyOrigins): RawBuilder<SqlBool> {
  return origins === 'any' ? sql`api_keys.allowed_origins = '{}'` : sql`api_keys.allowed_origins <> '{}'`
}

function expires(expiry: KeyExpiry): RawBuilder<SqlBool> {
  switch (expiry) {
    case 'never':
      return sql`api_keys.expires_at is null`
    case 'past':
      return sql`${expiryOfKey} <= now()`
    case 'week':
    case 'month':
      return sql`(${expiryOfKey} > now() and ${expiryOfKey} <= now() + ${sql.lit(DAYS[expiry])} * interval '1 day')`
  }
}

/** An id, a mask of the secret or the id, or words. A search for the prefix of all secrets looks for the rest of it. */
function isFound(q: string): RawBuilder<SqlBool> {
  const term = q.trim()
  if (z.uuid().safeParse(term).success) return sql`api_keys.id = ${term}`
  const mask = parseKeyMask(term)
  if (mask === null) return contains(term.startsWith(KEY_PREFIX) ? term.slice(KEY_PREFIX.length) : term)
  const { start, end } = mask
  if (start !== null) return sql`(api_keys.key_last4 = ${end} and api_keys.key_start = ${start})`
  return sql`(api_keys.key_last4 = ${end} or "right"(api_keys.id::text, 4) = ${end.toLowerCase()})`
}
