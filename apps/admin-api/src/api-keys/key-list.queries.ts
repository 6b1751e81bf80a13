import { KEY_ENVIRONMENTS } from '@switchboard/contract/api-keys/key-environment'
import { keyPrefix, parseKeyMask } from '@switchboard/contract/api-keys/key-format'
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
import { keyNeedsAttention } from '#src/dashboard/attention/attention.queries.ts'
import { type Counter, totalFromCounters } from '#src/lists/counters.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { contains, isSearch, searchTerm } from '#src/lists/search.queries.ts'
import {
  callsByKey,
  callsOfKey,
  COMPUTED_KEY_COLUMNS,
  KEY_COLUMNS,
  oldKeys,
  recentCalls,
  refusedByKey,
  refusedOfKey,
  type ValuesByKey,
} from './key-columns.queries.ts'
import { expiryOfKey, isInState, isWorking, placeOfState, stateOfKey } from './key-state.queries.ts'
import { whenSet } from '#src/lists/when-set.ts'

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
  // The origin that the console shows. A key for any origin comes first.
  allowed_origins: sql`coalesce(api_keys.allowed_origins[1], '')`,
  calls: callsOfKey,
  refused: refusedOfKey,
  // The index of this sort order has the same text.
  last_used_at: sql`coalesce(api_keys.last_used_at, '1970-01-01T00:00:00Z'::timestamptz)`,
}
/** Values that change with time or traffic have no index: all matching keys are collected and sorted. */
const VOLATILE: ReadonlySet<string> = new Set(['state', 'calls', 'refused'])
/** States that end with time or by hand. Most keys of most installations work, are switched off or blocked. */
const RARE_STATES: ReadonlySet<string> = new Set(['expired', 'expiring', 'in_grace', 'grace_ended', 'revoked'])
/** Sort values that are read for all keys at once. Keys without calls are missing. */
const READ_AT_ONCE = new Map<string, ValuesByKey>([
  ['calls', callsByKey],
  ['refused', refusedByKey],
])

const DAYS = { week: 7, month: 30 } as const

/** One page of keys. */
export async function pageOfApiKeys(
  db: Kysely<Database>,
  query: ApiKeyListQuery & { limit: number },
): Promise<Page<ApiKeyRow>> {
  const { column, isDescending } = orderOf(query)
  const atOnce = atOnceFor(query)
  return await readPage(
    db,
    listedKeys(db, query).select('sort_value'),
    { ...query, sort: `${isDescending ? '-' : ''}${column}` },
    {
      column: 'sort_value',
      second: column === 'tenant_name' ? 'created_at' : undefined,
      total: totalFromCounters('api_keys', COUNTERS, query),
      isCollected: isCollected(query),
      // The page itself looks up the values of its few keys.
      collected: atOnce && matchingKeys(db, query, atOnce).clearSelect().select(['sort_value', 'id']),
    },
  )
}

/** Whether no index has the order and the filters, or few keys match: PostgreSQL would read all keys in order to find them. */
function isCollected(query: ApiKeyListQuery): boolean {
  const { q, attention, tenant_id, state, expiry, origins } = query
  const { column } = orderOf(query)
  if (isSearch(q) || attention !== undefined || VOLATILE.has(column)) return true
  if (column === 'allowed_origins' && origins === 'restricted') return true
  if (tenant_id !== undefined) return column !== 'created_at'
  const isRare = (expiry !== undefined && expiry !== 'never') || (state !== undefined && RARE_STATES.has(state))
  return isRare && column !== 'expires_at'
}

/** The rows of the list, sorted. */
export function sortedApiKeys(db: Kysely<Database>, query: Filters) {
  return inOrder(listedKeys(db, query, atOnceFor(query)), query)
}

/** The matching keys with the columns of the file, sorted. */
export function exportedApiKeys(db: Kysely<Database>, query: Filters) {
  const exported = matchingKeys(db, query, atOnceFor(query))
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

function listedKeys(db: Kysely<Database>, query: Filters, atOnce?: ValuesByKey) {
  return matchingKeys(db, query, atOnce)
    .select(COMPUTED_KEY_COLUMNS)
    .select(recentCalls.as('recent_calls'))
    .select((query.fold === undefined ? sql<ApiKeyRow['old_keys']>`'[]'::json` : oldKeys).as('old_keys'))
}

/** The values of all keys for a sort by calls. A tenant or a search has few keys: each looks up its value. */
function atOnceFor(query: Filters): ValuesByKey | undefined {
  return query.tenant_id === undefined && !isSearch(query.q) ? READ_AT_ONCE.get(orderOf(query).column) : undefined
}

/** The values of `atOnce` replace a look-up of the sort value for each key. */
function matchingKeys(db: Kysely<Database>, query: Filters, atOnce?: ValuesByKey) {
  const { q, tenant_id, state, expiry, origins, environment, attention, fold } = query
  const looked = SORT_VALUES[orderOf(query).column] ?? sql`api_keys.created_at`
  const sortValue = atOnce === undefined ? looked : sql`coalesce(by_key.value, 0)`
  const sorted = sql<{ sort_value: string | number }>`(select ${sortValue} as sort_value)`.as<'sorted'>('sorted')
  return db
    .selectFrom('api_keys')
    .$if(atOnce !== undefined, (keys) =>
      keys.leftJoin((atOnce ?? callsByKey).as<'by_key'>('by_key'), 'by_key.api_key_id', 'api_keys.id'),
    )
    .innerJoinLateral(sorted, (join) => join.onTrue())
    .select(KEY_COLUMNS)
    .where('deleted_at', 'is', null)
    .$if(fold !== undefined, (keys) => keys.where('is_replaced', '=', false))
    .$call(whenSet(tenant_id, (keys, value) => keys.where('tenant_id', '=', value)))
    .$call(whenSet(state, (keys, value) => keys.where(hasState(value))))
    .$call(whenSet(expiry, (keys, value) => keys.where(expires(value))))
    .$call(whenSet(origins, (keys, value) => keys.where(hasOrigins(value))))
    .$call(whenSet(environment, (keys, value) => keys.where('environment', '=', value)))
    .$call(whenSet(attention, (keys, value) => keys.where(keyNeedsAttention(value))))
    .$call(whenSet(searchTerm(q), (keys, term) => keys.where(isFound(term))))
}

/** The keys of one tenant have one tenant name, so they are sorted only by creation time. */
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

/** An id, a mask of the secret or the id, or words. The prefix of a secret stands for the environment. */
function isFound(q: string): RawBuilder<SqlBool> {
  const term = q.trim()
  if (z.uuid().safeParse(term).success) return sql`api_keys.id = ${term}`
  const mask = parseKeyMask(term)
  if (mask === null) return hasWords(term)
  const { start, end } = mask
  if (start !== null) return sql`(api_keys.key_last4 = ${end} and api_keys.key_start = ${start})`
  return sql`(api_keys.key_last4 = ${end} or "right"(api_keys.id::text, 4) = ${end.toLowerCase()})`
}

function hasWords(term: string): RawBuilder<SqlBool> {
  const environment = KEY_ENVIRONMENTS.find((one) => term.startsWith(keyPrefix(one)))
  if (environment === undefined) return contains(term)
  return sql`(api_keys.environment = ${environment} and ${contains(term.slice(keyPrefix(environment).length))})`
}
