import type { ApiKey } from '@switchboard/contract/api-keys'
import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import {
  type KeyAttention,
  type KeyExpiry,
  type KeyOrigins,
  RECENT_CALL_DAYS,
  type RecentCalls,
} from '@switchboard/contract/api-keys/key-list'
import { REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import type { Tenant } from '@switchboard/contract/tenants'
import { counted, countText, totalText } from '#src/lib/format/count.ts'

type NamedKey = Pick<ApiKey, 'id' | 'name' | 'environment' | 'grace_ends_at'>

/** Accessible name of a key, unique among keys with the same name: "Production ending 8f8e (test, replaced)". */
export function keyLabel({ id, name, environment, grace_ends_at }: NamedKey): string {
  const kinds = [environment === 'test' && 'test', grace_ends_at !== null && 'replaced'].filter(Boolean)
  return `${name} ending ${id.slice(-4)}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`
}

type KeyCounts = Pick<Tenant, 'api_key_count' | 'test_api_key_count' | 'working_api_key_count'>

/** "3 keys (1 test) · 2 active". */
export function keySummary({ api_key_count: all, test_api_key_count: test, working_api_key_count }: KeyCounts): string {
  if (all === 0) return 'No keys'
  return `${counted(all, 'key')}${test === 0 ? '' : ` (${countText(test)} test)`} · ${countText(working_api_key_count)} active`
}

/** Keys in words: "84 old · 1,231 active". Without `active` for a list of one state. */
export function stateCounts(all: string, rows: string, active: string | undefined): string {
  const old = Number(all) - Number(rows)
  return [old > 0 && `${countText(old)} old`, active !== undefined && `${totalText(active)} active`]
    .filter(Boolean)
    .join(' · ')
}

/** A prefix and the last four characters of the id. */
export function maskedId({ id, key_prefix }: Pick<ApiKey, 'id' | 'key_prefix'>): string {
  return `${key_prefix}••••${id.slice(-4)}`
}

/** The first and last four characters of the secret, to identify a leaked secret. */
export function maskedSecret({
  key_prefix,
  key_start,
  key_last4,
}: Pick<ApiKey, 'key_prefix' | 'key_start' | 'key_last4'>): string {
  return `${key_prefix}${key_start}…${key_last4}`
}

/** The sums of the recent calls of a key. */
export function callTotals(calls: RecentCalls): { all: number; refused: number } {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
  const refused = sum(calls.map((day) => day.refused))
  return { all: refused + sum(calls.map((day) => day.accepted)), refused }
}

/** The calls of the keys of a tenant: "2,204 calls in 7 days", "220 refused in 7 days". Null without calls. */
export function weekText({ accepted, refused }: { accepted: number; refused: number }): string | null {
  if (refused > 0) return `${countText(refused)} refused in ${RECENT_CALL_DAYS} days`
  return accepted === 0 ? null : `${counted(accepted, 'call')} in ${RECENT_CALL_DAYS} days`
}

/** "1,204 calls, 43 refused". */
export function callsText({ all, refused }: { all: number; refused: number }): string {
  return `${counted(all, 'call')}${refused === 0 ? '' : `, ${countText(refused)} refused`}`
}

export const EXPIRY_OPTIONS = [
  { value: 'week', label: 'Expires within 7 days' },
  { value: 'month', label: 'Expires within 30 days' },
  { value: 'never', label: 'Never expires' },
  { value: 'past', label: 'Expired' },
] satisfies { value: KeyExpiry; label: string }[]

export const ENVIRONMENT_OPTIONS = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
] satisfies { value: KeyEnvironment; label: string }[]

export const ORIGIN_OPTIONS = [
  { value: 'any', label: 'Any origin' },
  { value: 'restricted', label: 'Restricted origins' },
] satisfies { value: KeyOrigins; label: string }[]

export const KEY_ATTENTION_OPTIONS = [
  { value: 'keys_reported', label: 'Reported as leaked' },
  { value: 'keys_expiring', label: 'Expiring soon' },
  { value: 'keys_refused', label: `Refused in ${REFUSED_DAYS} days` },
] satisfies { value: KeyAttention; label: string }[]
