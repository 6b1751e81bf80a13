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
  [{}, 'ok', 'Active'],
  [{ expires_at: after(24 * 14) }, 'ok', 'Active'],
  [{ expires_at: after(24 * 7), grace_ends_at: after(24 * 7) }, 'ok', 'Active'],
  [{ expires_at: after(-24), grace_ends_at: after(-24) }, 'bad', 'Grace ended'],
  [{ expires_at: after(-24) }, 'bad', 'Expired'],
  [{ is_active: false, expires_at: after(-24) }, 'neutral', 'Inactive'],
  [{ is_active: false, tenant_status: 'inactive' }, 'bad', 'Tenant inactive'],
  [{ tenant_status: 'inactive', revoked_at: after(-1) }, 'neutral', 'Revoked'],
]
test.for(cases)('%o is %s: %s', ([fields, tone, text]) => {
  expect(stateBadge({ ...working, ...fields }, NOW)).toEqual({ tone, text })
})

test.each([
  ['2026-11-20T23:30:00', '2026-11-20T00:01:00', '23:30'],
  ['2026-11-21T00:43:00', '2026-11-20T23:43:00', 'Nov 21, 00:43'],
  ['2026-11-19T23:43:00', '2026-11-20T00:01:00', 'Nov 19, 23:43'],
  ['2026-11-21T23:43:00', '2026-11-20T23:00:00', 'Nov 21'],
])('%s is seen from %s as %s', (moment, now, text) => {
  expect(dayOrTimeText(moment, Date.parse(now))).toBe(text)
})
