import type { ApiKey } from '@switchboard/contract/api-keys'
import { expect, test } from 'vitest'
import { dayOrTimeText, stateBadge } from './key-state-labels.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const after = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()
const working = {
  is_active: true,
  tenant_status: 'active',
  expires_at: null,
  grace_ends_at: null,
  revoked_at: null,
} as const
type State = Pick<ApiKey, keyof typeof working>

const cases: [Partial<State>, string, string][] = [
  [{}, 'ok', 'Working'],
  [{ expires_at: after(24 * 90) }, 'ok', 'Working'],
  [{ expires_at: after(24 * 14) }, 'warn', 'Expires in 14 days'],
  [{ expires_at: after(25) }, 'warn', 'Expires in 1 day'],
  [{ expires_at: after(3) }, 'warn', 'Expires in 3 hours'],
  [{ expires_at: after(24 * 7), grace_ends_at: after(24 * 7) }, 'info', 'In grace until Nov 27'],
  [{ expires_at: after(-24), grace_ends_at: after(-24) }, 'bad', 'Grace ended'],
  [{ expires_at: after(-24) }, 'bad', 'Expired Nov 19'],
  [{ is_active: false, expires_at: after(-24) }, 'neutral', 'Switched off'],
  [{ is_active: false, tenant_status: 'inactive' }, 'bad', 'Blocked: tenant inactive'],
  [{ tenant_status: 'inactive', revoked_at: after(-1) }, 'neutral', 'Revoked'],
]
test.for(cases)('%o is %s: %s', ([fields, tone, text]) => {
  expect(stateBadge({ ...working, ...fields }, 'full', NOW)).toEqual({ tone, text })
})

test('a phone has a short text for a blocked key', () => {
  expect(stateBadge({ ...working, tenant_status: 'inactive' }, 'short', NOW).text).toBe('Blocked')
})

test.each([
  ['2026-11-20T23:30:00', '2026-11-20T00:01:00', '23:30'],
  ['2026-11-21T00:43:00', '2026-11-20T23:43:00', 'Nov 21, 00:43'],
  ['2026-11-19T23:43:00', '2026-11-20T00:01:00', 'Nov 19, 23:43'],
  ['2026-11-21T23:43:00', '2026-11-20T23:00:00', 'Nov 21'],
])('%s is seen from %s as %s', (moment, now, text) => {
  expect(dayOrTimeText(moment, Date.parse(now))).toBe(text)
})
