import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { expect, test } from 'vitest'
import { type Verdict, verdictOf } from './key-verdict-labels.ts'

const NOW = Date.parse('2026-11-20T12:00:00.000Z')
const after = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()

const key: KeyDiagnosis['key'] = {
  id: '6f6f1b0e-0000-4000-8000-00000000abcd',
  tenant_id: '6f6f1b0e-0000-4000-8000-000000000001',
  tenant_name: 'Tenant',
  tenant_subdomain: 'tenant',
  tenant_status: 'active',
  name: 'Key',
  description: '',
  allowed_origins: [],
  is_active: true,
  created_at: after(-100),
  last_used_at: null,
  expires_at: null,
  key_prefix: 'sb_live_',
  key_start: 'Ab12',
  key_last4: 'wXyZ',
  rotated_from: null,
  rotated_to: null,
  rotated_at: null,
  grace_ends_at: null,
  original_expires_at: null,
  calls_since_rotation: null,
  refused_since_end: null,
  refusals: null,
  revoked_at: null,
  version: 1,
  recent_calls: [],
  old_keys: [],
}
const days = (counts: KeyDiagnosis['days'][number]['counts'], before = {}) => [
  { day: '2026-11-13', counts: before },
  ...['14', '15', '16', '17', '18', '19'].map((day) => ({ day: `2026-11-${day}`, counts: {} })),
  { day: '2026-11-20', counts },
]
const inGrace = { expires_at: after(168), grace_ends_at: after(168), rotated_at: after(-1) }

type Case = [Partial<KeyDiagnosis['key']>, string | null, KeyDiagnosis['days'], Verdict['text'], Verdict['mend']]
const cases: Case[] = [
  [{}, null, days({}), 'Working: no calls in 7 days.', null],
  [{}, null, days({ valid: 1 }, { valid: 50 }), 'Working: 1 call in 7 days.', null],
  [{}, null, days({ valid: 1_204 }), 'Working: 1,204 calls in 7 days.', null],
  [
    { expires_at: after(24) },
    null,
    days({ valid: 9, origin_refused: 43 }),
    '43 calls refused in 7 days: their origin is not allowed.',
    null,
  ],
  [{}, null, days({ valid: 2 }, { origin_refused: 43 }), 'Working: 2 calls in 7 days.', null],
  [{ expires_at: after(72) }, null, days({}), 'Working until Nov 23: then the key expires.', 'extend'],
  [inGrace, null, days({}), 'Working until Nov 27: a new key has replaced it.', 'extend grace'],
  [{ expires_at: after(-24) }, after(-24), days({}), 'Refused since Nov 19: the key has expired.', 'extend'],
  [
    { expires_at: after(-24), grace_ends_at: after(-24) },
    after(-24),
    days({}),
    'Refused since Nov 19: the grace period has ended.',
    null,
  ],
  [{ is_active: false }, null, days({}), 'Refused: the key is switched off.', 'switch on'],
  [
    { tenant_status: 'inactive', is_active: false },
    after(-72),
    days({}),
    'Refused since Nov 17: the tenant is inactive.',
    'activate tenant',
  ],
  [{ revoked_at: after(-72) }, after(-72), days({}), 'Refused since Nov 17: the key is revoked.', null],
]
test.for(cases)('%o', ([fields, refused_since, calls, text, mend]) => {
  expect(verdictOf({ key: { ...key, ...fields }, refused_since, days: calls }, NOW)).toMatchObject({ text, mend })
})
