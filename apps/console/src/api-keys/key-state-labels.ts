import type { ApiKey } from '@switchboard/contract/api-keys'
import { isWorkingState, KEY_STATES, keyState, type KeyState } from '@switchboard/contract/api-keys/key-state'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { shortDayText, timeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'

/** The fields of a key that decide on its state. A row of the list may be deleted. */
type StateFields = Pick<ApiKey, 'is_active' | 'expires_at' | 'grace_ends_at' | 'revoked_at' | 'tenant_status'> & {
  deleted_at?: string | null
  reported_at?: string | null
}

/** The state of a key at `now` (ms), by the rule of the servers. */
export function stateOf(key: StateFields, now = serverNow()): KeyState {
  return keyState(key, { status: key.tenant_status }, now)
}

/** Of a key whose secret a scanner found in public. */
export const REPORTED = 'Reported as leaked'

/** Whether the calls of a key are accepted, and otherwise why not: "Active", "Inactive", "Expired". */
export function stateBadge(key: StateFields, now = serverNow()): { tone: Tone; text: string } {
  if (typeof key.deleted_at === 'string') return { tone: 'neutral', text: 'Deleted' }
  const state = stateOf(key, now)
  if (state === 'switched_off' && typeof key.reported_at === 'string') return { tone: 'bad', text: REPORTED }
  return STATE_BADGES[state]
}

/** The badge of each state. */
export const STATE_BADGES = {
  working: { tone: 'ok', text: 'Active' },
  // The expiry beside it says how long.
  expiring: { tone: 'ok', text: 'Active' },
  in_grace: { tone: 'ok', text: 'Active' },
  expired: { tone: 'bad', text: 'Expired' },
  grace_ended: { tone: 'bad', text: 'Grace ended' },
  switched_off: { tone: 'neutral', text: 'Inactive' },
  revoked: { tone: 'neutral', text: 'Revoked' },
  blocked: { tone: 'bad', text: 'Tenant inactive' },
} satisfies Record<KeyState, { tone: Tone; text: string }>

/** Values of the filter by state. The first has all states in which calls are accepted. */
export const STATE_OPTIONS = [
  { value: KEY_STATES.filter(isWorkingState).join(','), label: 'Active' },
  { value: 'expiring', label: 'Active, expires soon' },
  { value: 'in_grace', label: 'Active, replaced' },
  { value: 'working', label: 'Active, no end soon' },
  { value: 'switched_off', label: 'Inactive' },
  { value: 'expired', label: 'Expired' },
  { value: 'grace_ended', label: 'Grace ended' },
  { value: 'blocked', label: 'Tenant inactive' },
  { value: 'revoked', label: 'Revoked' },
]

/** "14:05" for a moment of today, "Nov 24, 00:43" within twelve hours, otherwise "Nov 27". */
export function dayOrTimeText(moment: string, now = serverNow()): string {
  const isToday = new Date(moment).toDateString() === new Date(now).toDateString()
  const isNear = Math.abs(Date.parse(moment) - now) < DAY_MS / 2
  return isToday || isNear ? timeText(moment, now) : shortDayText(moment, now)
}
