import type { ApiKey } from '@switchboard/contract/api-keys'
import { keyState, type KeyState } from '@switchboard/contract/api-keys/key-state'
import { DAY_MS } from '@switchboard/contract/wire/days'
import { counted } from '#src/lib/format/count.ts'
import { relativeText, shortDayText, timeText } from '#src/lib/format/moment.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import type { Tone } from '#src/ui/badge/badge.tsx'

/** The fields of a key that decide on its state. A row of the list may be deleted. */
type StateFields = Pick<ApiKey, 'is_active' | 'expires_at' | 'grace_ends_at' | 'revoked_at' | 'tenant_status'> & {
  deleted_at?: string | null
}

/** The state of a key at `now` (ms), by the rule of the servers. */
export function stateOf(key: StateFields, now = serverNow()): KeyState {
  return keyState(key, { status: key.tenant_status }, now)
}

/** The state of a key in words: "In grace until Nov 27", "Expires in 3 days". `short` for a phone. */
export function stateBadge(
  key: StateFields,
  length: 'full' | 'short' = 'full',
  now = serverNow(),
): { tone: Tone; text: string } {
  if (typeof key.deleted_at === 'string') return { tone: 'neutral', text: 'Deleted' }
  const state = stateOf(key, now)
  return {
    tone: TONES[state],
    text: state === 'blocked' && length === 'short' ? 'Blocked' : stateText(state, key, now),
  }
}

/** Values of the filter by state. `any_working` has all states in which calls are accepted. */
export const STATE_OPTIONS = [
  { value: 'any_working', label: 'All working' },
  { value: 'working', label: 'Working, without an end soon' },
  { value: 'expiring', label: 'Expiring' },
  { value: 'in_grace', label: 'In grace' },
  { value: 'expired', label: 'Expired' },
  { value: 'grace_ended', label: 'Grace ended' },
  { value: 'switched_off', label: 'Switched off' },
  { value: 'revoked', label: 'Revoked' },
  { value: 'blocked', label: 'Blocked: tenant inactive' },
] satisfies { value: KeyState | 'any_working'; label: string }[]

/** "14:05" for a moment of today, "Nov 24, 00:43" within twelve hours, otherwise "Nov 27". */
export function dayOrTimeText(moment: string, now = serverNow()): string {
  const isToday = new Date(moment).toDateString() === new Date(now).toDateString()
  const isNear = Math.abs(Date.parse(moment) - now) < DAY_MS / 2
  return isToday || isNear ? timeText(moment, now) : shortDayText(moment, now)
}

const TONES = {
  working: 'ok',
  expiring: 'warn',
  in_grace: 'info',
  expired: 'bad',
  grace_ended: 'bad',
  switched_off: 'neutral',
  revoked: 'neutral',
  blocked: 'bad',
} satisfies Record<KeyState, Tone>

function stateText(state: KeyState, { expires_at, grace_ends_at }: StateFields, now: number): string {
  if (state === 'in_grace' && grace_ends_at !== null) return `In grace until ${dayOrTimeText(grace_ends_at, now)}`
  if (state === 'expired' && expires_at !== null) return `Expired ${dayOrTimeText(expires_at, now)}`
  if (state === 'expiring' && expires_at !== null) {
    const left = Date.parse(expires_at) - now
    return left < DAY_MS
      ? `Expires ${relativeText(expires_at, now)}`
      : `Expires in ${counted(Math.floor(left / DAY_MS), 'day')}`
  }
  return TEXTS[state]
}

const TEXTS = {
  working: 'Working',
  expiring: 'Expiring',
  in_grace: 'In grace',
  expired: 'Expired',
  grace_ended: 'Grace ended',
  switched_off: 'Switched off',
  revoked: 'Revoked',
  blocked: 'Blocked: tenant inactive',
} satisfies Record<KeyState, string>
