import type { ApiKey } from '@switchboard/contract/api-keys'
import { ROTATION_REFUSALS, rotationRefusal } from '@switchboard/contract/api-keys/key-rotation'
import { counted } from '#src/lib/format/count.ts'
import { relativeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { DAY_MS } from '@switchboard/contract/wire/days'

/** `last_used_at` is at most an hour behind. */
const USED_AT_END_MS = 2 * 3_600_000

/** Whether a rotated key still works. */
export function isInGrace({ grace_ends_at, revoked_at }: ApiKey, now = serverNow()): boolean {
  return revoked_at === null && grace_ends_at !== null && Date.parse(grace_ends_at) > now
}

/** Why a key cannot be rotated, or null. */
export function rotationProblem(key: ApiKey, now = serverNow()): string | null {
  const refusal = rotationRefusal(key, now)
  return refusal && ROTATION_REFUSALS[refusal]
}

/** The lifetime of a key at its creation: "30 days", "never expires". */
export function lifetimeText({ created_at, original_expires_at }: ApiKey): string {
  if (original_expires_at === null) return 'never expires'
  const days = Math.round((Date.parse(original_expires_at) - Date.parse(created_at)) / DAY_MS)
  return days === 0 ? 'less than a day' : counted(days, 'day')
}

/** When a key was last used: "never used", "last used 3 days ago". */
export function lastUseText({ last_used_at }: Pick<ApiKey, 'last_used_at'>, now = serverNow()): string {
  return last_used_at === null ? 'never used' : `last used ${relativeText(last_used_at, now)}`
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
export function rotationCalls(key: ApiKey, now = serverNow()): string | null {
  if (key.calls_since_rotation === null) return null
  const calls = `${counted(key.calls_since_rotation, 'call')} since the rotation`
  if (!hasGraceEnded(key, now)) return calls
  return key.refused_since_end ? `${calls}, ${refusedCalls(key)} since it ended` : `${calls}, no calls since it ended`
}

/** A warning when the old key of a rotation was used shortly before its end, or null. */
export function usedAtEnd(key: ApiKey, now = serverNow()): string | null {
  const { name, last_used_at, grace_ends_at } = key
  if (!hasGraceEnded(key, now) || last_used_at === null || grace_ends_at === null) return null
  if (Date.parse(last_used_at) < Date.parse(grace_ends_at) - USED_AT_END_MS) return null
  return `The old key of ${name} was still in use when it ended (${refusedCalls(key)}).`
}

function hasGraceEnded({ grace_ends_at, revoked_at }: ApiKey, now: number): boolean {
  return grace_ends_at !== null && (revoked_at !== null || Date.parse(grace_ends_at) <= now)
}

function refusedCalls({ refused_since_end }: ApiKey): string {
  return `${counted(refused_since_end ?? 0, 'call')} refused`
}

/**
 * The grace period that lets callers change to the new key: a day for a key in daily use, 7 days for a key in weekly or
 * monthly use, 1 hour for an unused key.
 */
export function fittingGrace({ last_used_at }: Pick<ApiKey, 'last_used_at'>, now = serverNow()): number {
  const unused = last_used_at === null ? Infinity : now - Date.parse(last_used_at)
  if (unused < DAY_MS) return 86_400
  return unused < 30 * DAY_MS ? 604_800 : 3_600
}

/** The grace periods on screen. The API accepts others too. */
export const GRACE_OPTIONS = [
  { seconds: 0, label: "Don't: revoke it now" },
  { seconds: 3_600, label: '1 hour' },
  { seconds: 86_400, label: '1 day' },
  { seconds: 604_800, label: '7 days' },
] satisfies { seconds: number; label: string }[]
