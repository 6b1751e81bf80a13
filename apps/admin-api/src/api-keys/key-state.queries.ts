import { EXPIRING_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import { isWorkingState, KEY_STATES, type KeyState } from '@switchboard/contract/api-keys/key-state'
import { type RawBuilder, sql } from 'kysely'

// `keyState` of the contract in SQL, for rows of `api_keys`, by the clock of the database.

/** The end of a key. A key without an expiry ends after all others. The index of this sort order has the same text. */
export const expiryOfKey = sql<string>`coalesce(api_keys.expires_at, '9999-12-31T23:59:59.999Z'::timestamptz)`

const hasEnded = sql<boolean>`(${expiryOfKey} <= now())`
const isRotated = sql<boolean>`(api_keys.grace_ends_at is not null)`
/** The ids of the inactive tenants are read once; a look-up of each key's tenant takes five times as long. */
const isOfInactiveTenant = sql<boolean>`(
  api_keys.tenant_id in (select tenants.id from tenants where tenants.status <> 'active')
)`

/** Each state with its condition. The first condition that holds wins; none is ever null. */
const CONDITIONS: readonly (readonly [KeyState, RawBuilder<boolean>])[] = [
  ['revoked', sql`(api_keys.revoked_at is not null)`],
  ['blocked', isOfInactiveTenant],
  ['switched_off', sql`(not api_keys.is_active)`],
  ['grace_ended', sql`(${hasEnded} and ${isRotated})`],
  ['expired', hasEnded],
  ['in_grace', isRotated],
  ['expiring', sql`(${expiryOfKey} <= now() + interval '${sql.raw(String(EXPIRING_DAYS))} days')`],
  ['working', sql`true`],
]

/** The state of a key. */
export const stateOfKey = sql<KeyState>`(case ${sql.join(
  CONDITIONS.map(([state, holds]) => sql`when ${holds} then ${sql.lit(state)}`),
  sql` `,
)} end)`

/** The place of a key's state among `KEY_STATES`, for sorting. */
export const placeOfState = sql<number>`(case ${sql.join(
  CONDITIONS.map(([state, holds]) => sql`when ${holds} then ${sql.lit(KEY_STATES.indexOf(state))}`),
  sql` `,
)} end)`

/** Whether the calls of a key are accepted. */
export const isWorking = noneOf(CONDITIONS)

/** Whether the calls of a key are accepted when its tenant is active. */
export const isWorkingInActiveTenant = noneOf(CONDITIONS.filter(([state]) => state !== 'blocked'))

/** Whether a key is in a state: as conditions instead of a comparison, so that PostgreSQL can estimate the rows. */
export function isInState(state: KeyState): RawBuilder<boolean> {
  const place = CONDITIONS.findIndex(([name]) => name === state)
  return allOf(CONDITIONS.slice(0, place + 1).map(([name, holds]) => (name === state ? holds : sql`not ${holds}`)))
}

function noneOf(conditions: typeof CONDITIONS): RawBuilder<boolean> {
  return allOf(conditions.filter(([state]) => !isWorkingState(state)).map(([, holds]) => sql`not ${holds}`))
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
