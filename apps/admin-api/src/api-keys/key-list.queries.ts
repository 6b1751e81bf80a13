import { parseKeyMask } from '@switchboard/contract/api-keys/key-format'
import {
  apiKeyList,
  type ApiKeyListQuery,
  type ApiKeyRow,
  type KeyExpiry,
  type KeyOrigins,
} from '@switchboard/contract/api-keys/key-list'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { keyNeedsAttention } from '@switchboard/database/attention/attention.queries'
import { presentOrDeleted } from '#src/lists/deletions/deletions.queries.ts'
import { anyHolds, contains, searchTerm, updatedSince, whenSet } from '#src/lists/filters.queries.ts'
import { type Order, orderOf } from '#src/lists/rows.queries.ts'
import {
  callsOfKey,
  COMPUTED_KEY_COLUMNS,
  KEY_COLUMNS,
  oldKeys,
  recentCalls,
  refusedOfKey,
} from './key-columns.queries.ts'
import { hasMask } from './key-mask.queries.ts'
import { expiryOfKey, isInState, placeOfState, stateOfKey } from './key-state.queries.ts'

type Filters = FiltersOf<ApiKeyListQuery>

/** The columns of the orders. The first origin is the one that the console shows. A key for any origin comes first. */
const ordered = sql<object>`(
  select
    -extract(epoch from api_keys.created_at)::float8 as age,
    ${expiryOfKey} as ends_at,
    ${placeOfState} as place_of_state,
    coalesce(api_keys.allowed_origins[1], '') as first_origin,
    ${callsOfKey} as calls,
    ${refusedOfKey} as refused,
    coalesce(api_keys.last_used_at, '1970-01-01T00:00:00Z') as last_use
)`.as<'ordered'>('ordered')

/** The columns of each sort that is not the column of the same name. By tenant, the newest keys of a tenant come first. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  tenant_name: ['tenant_name', 'age'],
  expires_at: ['ends_at'],
  state: ['place_of_state'],
  allowed_origins: ['first_origin'],
  last_used_at: ['last_use'],
}

const DAYS = { week: 7, month: 30 } as const

/**
 * The list of keys. All matching keys are collected and sorted, because most of these orders change with time or
 * traffic and have no index. A page of 20,000 keys takes 10 to 30 ms, by calls 120 ms.
 */
export const listedKeys = {
  matching: (db: Kysely<Database>, query: Filters) =>
    matchingKeys(db, query)
      .select(recentCalls.as('recent_calls'))
      .select((query.fold === undefined ? sql<ApiKeyRow['old_keys']>`'[]'::json` : oldKeys).as('old_keys')),
  order: orderOfKeys,
  isCollected: () => true,
}

/** The keys of the file. */
export const exportedKeys = {
  matching: (db: Kysely<Database>, query: Filters) =>
    matchingKeys(db, query).select([
      stateOfKey.as('state'),
      callsOfKey.as('calls_7_days'),
      refusedOfKey.as('refused_7_days'),
    ]),
  order: orderOfKeys,
}

function orderOfKeys({ sort = apiKeyList.defaultSort }: Filters): Order {
  const { columns, isDescending } = orderOf(sort)
  return { columns: columns.flatMap((column) => ORDERS[column] ?? [column]), isDescending }
}

function matchingKeys(db: Kysely<Database>, query: Filters) {
  const { q, tenant_id, state, expiry, origins, environment, attention, fold, deleted, updated_since } = query
  return db
    .selectFrom(presentOrDeleted('api_keys', deleted !== undefined))
    .innerJoinLateral(ordered, (join) => join.onTrue())
    .select([...KEY_COLUMNS, 'deleted_at'])
    .select(COMPUTED_KEY_COLUMNS)
    .$if(fold !== undefined && deleted === undefined, (keys) => keys.where('is_replaced', '=', false))
    .$call(whenSet(tenant_id, (keys, value) => keys.where('tenant_id', '=', value)))
    .$call(whenSet(state, (keys, values) => keys.where(anyHolds(values.map(isInState)))))
    .$call(whenSet(expiry, (keys, values) => keys.where(anyHolds(values.map(expires)))))
    .$call(whenSet(origins, (keys, values) => keys.where(anyHolds(values.map(hasOrigins)))))
    .$call(whenSet(environment, (keys, value) => keys.where('environment', 'in', value)))
    .$call(whenSet(attention, (keys, value) => keys.where(keyNeedsAttention(value))))
    .$call(whenSet(updated_since, (keys, value) => keys.where(updatedSince(value))))
    .$call(whenSet(searchTerm(q), (keys, term) => keys.where(isFound(term))))
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

/** An id, a mask or the beginning of the secret, or words. */
function isFound(q: string): RawBuilder<SqlBool> {
  const term = q.trim()
  if (z.uuid().safeParse(term).success) return sql`api_keys.id = ${term}`
  const mask = parseKeyMask(term)
  return mask === null ? contains(term) : hasMask(mask)
}
