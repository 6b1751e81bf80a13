import type { ApiKey, GraceSeconds } from '@switchboard/contract/api-keys'
import type { KeyAttention } from '@switchboard/contract/api-keys/key-list'
import { EXPIRING_DAYS, REFUSED_DAYS } from '@switchboard/contract/api-keys/key-outcomes'
import { ROTATION_REFUSALS, rotationRefusal } from '@switchboard/contract/api-keys/key-rotation'
import type { Tenant } from '@switchboard/contract/tenants'
import { counted } from '#src/lib/format/count.ts'
import { relativeText, timeText } from '#src/lib/format/moment.ts'

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** "3 keys · 2 active". */
export function keySummary({ api_key_count, working_api_key_count }: Tenant): string {
  return api_key_count === 0 ? 'No keys' : `${counted(api_key_count, 'key')} · ${working_api_key_count} working`
}

/** A prefix and the last four characters of the id. */
export function maskedId({ id, key_prefix }: ApiKey): string {
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

type Badge = { tone: 'ok' | 'bad' | 'warn' | 'info'; text: string }

export function statusBadge({ is_active, revoked_at }: ApiKey): Badge {
  if (revoked_at !== null) return { tone: 'bad', text: 'Revoked' }
  return is_active ? { tone: 'ok', text: 'Active' } : { tone: 'bad', text: 'Inactive' }
}

/** A badge for the end of a key, or null. `now` in ms. */
export function expiryBadge({ expires_at, grace_ends_at, revoked_at }: ApiKey, now = Date.now()): Badge | null {
  if (expires_at === null || revoked_at !== null) return null
  const left = Date.parse(expires_at) - now
  if (left <= 0) return { tone: 'bad', text: grace_ends_at === null ? 'Expired' : 'Grace ended' }
  if (grace_ends_at !== null) return { tone: 'info', text: `In grace until ${timeText(expires_at, now)}` }
  if (left > EXPIRING_DAYS * DAY_MS) return null
  return {
    tone: 'warn',
    text:
      left < DAY_MS
        ? `Expires ${relativeText(expires_at, now)}`
        : `Expires in ${counted(Math.floor(left / DAY_MS), 'day')}`,
  }
}

/** Whether a rotated key still works. */
export function isInGrace({ grace_ends_at, revoked_at }: ApiKey, now = Date.now()): boolean {
  return revoked_at === null && grace_ends_at !== null && Date.parse(grace_ends_at) > now
}

/** Why a key cannot be rotated, or null. */
export function rotationProblem(key: ApiKey, now = Date.now()): string | null {
  const refusal = rotationRefusal(key, now)
  return refusal && ROTATION_REFUSALS[refusal]
}

/** The lifetime of a key at its creation: "30 days", "never expires". */
export function lifetimeText({ created_at, original_expires_at }: ApiKey): string {
  if (original_expires_at === null) return 'never expires'
  const days = Math.round((Date.parse(original_expires_at) - Date.parse(created_at)) / DAY_MS)
  return days === 0 ? 'less than a day' : counted(days, 'day')
}

/** The grace periods that end later than the current end, each with its end. */
export function longerGraces({ rotated_at, created_at, grace_ends_at, original_expires_at }: ApiKey) {
  const lastEnd = original_expires_at === null ? Infinity : Date.parse(original_expires_at)
  const planned = grace_ends_at === null ? lastEnd : Date.parse(grace_ends_at)
  const ends = GRACE_OPTIONS.map(({ seconds, label }) => ({
    seconds,
    label,
    end: Math.min(Date.parse(rotated_at ?? created_at) + seconds * 1_000, lastEnd),
  }))
  // Several grace periods may end with the key's own expiry: offer only the first.
  return ends.filter(({ end }, at) => end > planned && end !== ends[at - 1]?.end)
}

/** Why the grace of a key cannot be extended, or null. */
export function extensionProblem(key: ApiKey): string | null {
  if (longerGraces(key).length > 0) return null
  return 'Grace lasts 7 days at most, and no longer than the key itself would have.'
}

/** A sentence about the calls of a rotated key or its successor, or null. */
export function rotationCalls(key: ApiKey, now = Date.now()): string | null {
  if (key.calls_since_rotation === null) return null
  const calls = `${counted(key.calls_since_rotation, 'call')} since the rotation`
  if (!hasGraceEnded(key, now)) return calls
  return key.refused_since_end ? `${calls}, ${refusedCalls(key)} since it ended` : `${calls}, no calls since it ended`
}

/** A warning when the old key of a rotation was used in its last hour, or null. */
export function usedAtEnd(key: ApiKey, now = Date.now()): string | null {
  const { name, last_used_at, grace_ends_at } = key
  if (!hasGraceEnded(key, now) || last_used_at === null || grace_ends_at === null) return null
  if (Date.parse(last_used_at) < Date.parse(grace_ends_at) - HOUR_MS) return null
  return `The old key of ${name} was still in use when it ended (${refusedCalls(key)}).`
}

function hasGraceEnded({ grace_ends_at, revoked_at }: ApiKey, now: number): boolean {
  return grace_ends_at !== null && (revoked_at !== null || Date.parse(grace_ends_at) <= now)
}

function refusedCalls({ refused_since_end }: ApiKey): string {
  return `${counted(refused_since_end ?? 0, 'call')} refused`
}

/** Sorts each replaced key directly after its successor. */
export function inPairs(keys: readonly ApiKey[]): ApiKey[] {
  const ids = new Set(keys.map(({ id }) => id))
  const withOld = (key: ApiKey): ApiKey[] => [
    key,
    ...keys
      .filter((old) => old.rotated_to === key.id || (old.rotated_to === null && key.rotated_from === old.id))
      .flatMap(withOld),
  ]
  const replaced = new Set(
    keys.flatMap(({ rotated_from }) => (rotated_from !== null && ids.has(rotated_from) ? [rotated_from] : [])),
  )
  return keys.filter(({ id }) => !replaced.has(id)).flatMap(withOld)
}

/** The most refused key first. */
export function byRefusals(keys: readonly ApiKey[]): ApiKey[] {
  return keys.toSorted((one, other) => (other.refusals?.count ?? 0) - (one.refusals?.count ?? 0))
}

/** The filters for the keys of all tenants. */
export const KEY_ATTENTION_OPTIONS = [
  { value: 'keys_expiring', label: 'Expiring soon' },
  { value: 'keys_refused', label: `Refused in ${REFUSED_DAYS} days` },
] satisfies { value: KeyAttention; label: string }[]

/** How many keys a list is narrowed to: "3 keys expire within 14 days." */
export function filterText(attention: KeyAttention, count: number): string {
  return attention === 'keys_expiring'
    ? `${counted(count, 'key expires', 'keys expire')} within ${EXPIRING_DAYS} days.`
    : `${counted(count, 'key')} with refused calls (${REFUSED_DAYS} days).`
}

/** The keys of an export: "The API keys about to expire of matching tenants". */
export function exportedText({ q, attention }: { q: string | undefined; attention: KeyAttention | undefined }): string {
  const which =
    attention === undefined
      ? 'The API keys'
      : attention === 'keys_expiring'
        ? 'The API keys about to expire'
        : 'The API keys with recent refusals'
  return `${which} of all ${q === undefined ? 'tenants' : 'matching tenants'}`
}

export const GRACE_OPTIONS = [
  { seconds: 0, label: "Don't: revoke it now" },
  { seconds: 900, label: '15 minutes' },
  { seconds: 3_600, label: '1 hour' },
  { seconds: 21_600, label: '6 hours' },
  { seconds: 86_400, label: '1 day' },
  { seconds: 604_800, label: '7 days' },
] satisfies { seconds: GraceSeconds; label: string }[]
