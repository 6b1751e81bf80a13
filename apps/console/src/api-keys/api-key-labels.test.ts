import { expect, test } from 'vitest'
import {
  callsText,
  callTotals,
  keyLabel,
  keySummary,
  maskedId,
  maskedSecret,
  stateCounts,
  weekText,
} from './api-key-labels.ts'

const key = {
  id: '6f6f1b0e-0000-4000-8000-00000000abcd',
  name: 'Production',
  environment: 'live' as const,
  key_prefix: 'sb_live_',
  key_start: 'Ab12',
  key_last4: 'wXyZ',
  grace_ends_at: null,
}

test('id and secret are masked differently', () => {
  expect(maskedId(key)).toBe('sb_live_••••abcd')
  expect(maskedSecret(key)).toBe('sb_live_Ab12…wXyZ')
})

test('a test key and a replaced key have their own labels', () => {
  expect(keyLabel(key)).toBe('Production ending abcd')
  expect(keyLabel({ ...key, grace_ends_at: '2026-11-20T12:00:00.000Z' })).toBe('Production ending abcd (replaced)')
  expect(keyLabel({ ...key, environment: 'test' })).toBe('Production ending abcd (test)')
  expect(keyLabel({ ...key, environment: 'test', grace_ends_at: '2026-11-20T12:00:00.000Z' })).toBe(
    'Production ending abcd (test, replaced)',
  )
})

const counts: [string, string, string | undefined, string][] = [
  ['1', '1', '0', '0 active'],
  ['1284', '1200', '1231', '84 old · 1,231 active'],
  ['12', '12', undefined, ''],
  ['10000+', '9990', '9000', '9,000 active'],
]
test.for(counts)('%s keys in %s rows, %s active: "%s"', ([all, rows, active, text]) => {
  expect(stateCounts(all, rows, active)).toBe(text)
})

test.for([
  [0, 0, 0, 'No keys'],
  [1, 0, 1, '1 key · 1 active'],
  [3, 1, 2, '3 keys (1 test) · 2 active'],
] as const)(
  '%i keys, %i for tests, %i active: %s',
  ([api_key_count, test_api_key_count, working_api_key_count, text]) => {
    expect(keySummary({ api_key_count, test_api_key_count, working_api_key_count })).toBe(text)
  },
)

test('the calls of a week are summed', () => {
  const calls = [
    { accepted: 1_161, refused: 0 },
    { accepted: 0, refused: 43 },
  ]
  expect(callTotals(calls)).toEqual({ all: 1_204, refused: 43 })
  expect(callsText(callTotals(calls))).toBe('1,204 calls, 43 refused')
  expect(callsText({ all: 1, refused: 0 })).toBe('1 call')
})

test.for([
  [0, 0, null],
  [1, 0, '1 call in 7 days'],
  [2_204, 0, '2,204 calls in 7 days'],
  [12, 220, '220 refused in 7 days'],
] as const)('%i accepted and %i refused calls of a tenant: %s', ([accepted, refused, text]) => {
  expect(weekText({ accepted, refused })).toBe(text)
})
