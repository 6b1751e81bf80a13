import { expect, test } from 'vitest'
import { healthOf } from './tenant-health-labels.ts'

const now = new Date('2026-11-20T12:00:00').getTime()
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
const calls = { working_key_count: 0, last_used_at: null, inactive_since: null, refused_since: 0 }
const NONE = { test_api_key_count: 0, suspended_until: null, suspension_reason: null }
const since = '2026-11-17T12:00:00.000Z'

test.each([
  ['active', 3, { working_key_count: 3, last_used_at: ago(0.1) }, 'ok', '3 keys working, last accepted call 6 min ago'],
  ['active', 4, { working_key_count: 1, last_used_at: ago(1) }, 'ok', '1 key working, last accepted call 1 hour ago'],
  ['active', 1, { working_key_count: 1, last_used_at: ago(0) }, 'ok', '1 key working, last accepted call just now'],
  ['active', 1, { working_key_count: 1, last_used_at: ago(167) }, 'ok', '1 key working, last accepted call Nov 13'],
  ['active', 1, { working_key_count: 1, last_used_at: ago(192) }, 'quiet', '1 key working, last accepted call Nov 12'],
  ['active', 3, { working_key_count: 3 }, 'quiet', '3 keys working, no accepted call yet'],
  ['active', 0, {}, 'quiet', 'No API key yet'],
  ['active', 2, {}, 'bad', 'None of 2 keys works: all calls refused'],
  ['active', 1, {}, 'bad', 'The key does not work: all calls refused'],
] as const)('%s with %i keys and %j: %s, %s', (status, api_key_count, some, tone, text) => {
  expect(healthOf({ ...NONE, status, api_key_count }, { ...calls, ...some }, now)).toEqual({ tone, text })
})

test.each([
  [NONE, { inactive_since: since, refused_since: 760 }, 'Suspended since Nov 17', '760 calls refused'],
  [NONE, { inactive_since: since, refused_since: 1 }, 'Suspended since Nov 17', '1 call refused'],
  [NONE, {}, 'Suspended', 'all calls refused'],
  [
    { ...NONE, suspended_until: new Date('2026-11-24T12:00:00').toISOString(), suspension_reason: 'unpaid invoice' },
    { inactive_since: since },
    'Suspended since Nov 17, until Nov 24, 12:00',
    '0 calls refused',
  ],
  [
    { ...NONE, suspended_until: '2027-02-01T12:00:00.000Z' },
    {},
    /^Suspended until Feb 1, 2027, \d\d:00$/,
    'all calls refused',
  ],
])('an inactive tenant with %j and %j: %s, %s', (suspension, some, text, rest) => {
  const tenant = { status: 'inactive', api_key_count: 2, ...suspension } as const
  const expected = { tone: 'bad', reason: suspension.suspension_reason, rest }
  const health = healthOf(tenant, { ...calls, ...some }, now)
  expect(health).toMatchObject(expected)
  expect(health.text).toMatch(text)
})

test.each([
  [2, { working_key_count: 2, last_used_at: ago(1) }, '2 live keys working, last accepted call 1 hour ago'],
  [2, { working_key_count: 1 }, '1 live key working, no accepted call yet'],
  [2, {}, 'None of 2 live keys works: all calls refused'],
  [1, {}, 'The live key does not work: all calls refused'],
  [0, {}, 'No live API key yet'],
] as const)('beside test keys, %i live keys with %j: %s', (live, some, text) => {
  const tenant = { ...NONE, status: 'active' as const, api_key_count: live + 3, test_api_key_count: 3 }
  expect(healthOf(tenant, { ...calls, ...some }, now)).toMatchObject({ text })
})
