import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { expect, test } from 'vitest'
import { after, NOW, WORKING_KEY } from '#src/testing/api-key.ts'
import { type Verdict, verdictOf } from './key-verdict-labels.ts'

const key: KeyDiagnosis['key'] = { ...WORKING_KEY, recent_calls: [], old_keys: [], deleted_at: null }
const days = (counts: KeyDiagnosis['days'][number]['counts'], before = {}) => [
  { day: '2026-11-13', counts: before },
  ...['14', '15', '16', '17', '18', '19'].map((day) => ({ day: `2026-11-${day}`, counts: {} })),
  { day: '2026-11-20', counts },
]
const inGrace = { expires_at: after(168), grace_ends_at: after(168), rotated_at: after(-1) }

type Case = [Partial<KeyDiagnosis['key']>, string | null, KeyDiagnosis['days'], Verdict['text'], Verdict['remedy']]
const cases: Case[] = [
  [{}, null, days({}), 'Active: no calls in 7 days.', null],
  [{}, null, days({ valid: 1 }, { valid: 50 }), 'Active: 1 call in 7 days.', null],
  [{}, null, days({ valid: 1_204 }), 'Active: 1,204 calls in 7 days.', null],
  [
    { expires_at: after(24) },
    null,
    days({ valid: 9, origin_refused: 43 }),
    '43 calls refused in 7 days: their origin is not allowed.',
    null,
  ],
  [{}, null, days({ valid: 2 }, { origin_refused: 43 }), 'Active: 2 calls in 7 days.', null],
  [{ expires_at: after(72) }, null, days({}), 'Active until Nov 23: then the key expires.', 'extend'],
  [inGrace, null, days({}), 'Active until Nov 27: a new key has replaced it.', 'extend grace'],
  [{ expires_at: after(-24) }, after(-24), days({}), 'Refused since Nov 19: the key has expired.', 'extend'],
  [
    { expires_at: after(-24), grace_ends_at: after(-24) },
    after(-24),
    days({}),
    'Refused since Nov 19: the grace period has ended.',
    null,
  ],
  [{ is_active: false }, null, days({}), 'Refused: the key is inactive.', 'activate'],
  [
    { tenant_status: 'inactive', is_active: false },
    after(-72),
    days({}),
    'Refused since Nov 17: the tenant is inactive.',
    'reactivate tenant',
  ],
  [{ tenant_status: 'inactive' }, null, days({}), 'Refused: the tenant is inactive.', 'reactivate tenant'],
  [{ revoked_at: after(-72) }, after(-72), days({}), 'Refused since Nov 17: the key is revoked.', null],
]
test.for(cases)('%o', ([fields, refused_since, calls, text, remedy]) => {
  expect(verdictOf({ key: { ...key, ...fields }, refused_since, days: calls }, NOW)).toMatchObject({ text, remedy })
})
