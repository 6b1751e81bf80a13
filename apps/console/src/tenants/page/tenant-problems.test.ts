import type { Attention } from '@switchboard/contract/dashboard'
import { expect, test } from 'vitest'
import { problemsOf } from './tenant-problems.ts'

const now = new Date('2026-11-20T12:00:00').getTime()
const since = '2026-11-17T12:00:00.000Z'
const NONE = { count: 0, is_more: false, first: [] }
const CALM: Attention = {
  tenants_without_admin: NONE,
  keys_reported: NONE,
  keys_expiring: NONE,
  keys_refused: { ...NONE, of_inactive_tenants: 0 },
  tasks_failing: NONE,
  tasks_paused: NONE,
  tasks_late: NONE,
  reviews_low: NONE,
  untrusted_proxy: null,
}
const tenant = {
  id: 'a',
  status: 'active' as const,
  api_key_count: 2,
  test_api_key_count: 0,
  admin_count: 1,
  suspended_until: null,
  suspension_reason: null,
}
const health = {
  working_key_count: 2,
  inactive_since: null,
  suspended_by: null,
  refused_since: 0,
  scheduled_task_count: 1,
}
const key = {
  id: 'k',
  name: 'Site',
  tenant_id: 'a',
  tenant_name: 'A',
  tenant_status: 'active' as const,
}
const refused = (name: string, count: number) => ({
  ...key,
  name,
  refusals: { count, outcome: 'origin_refused' as const, is_replaced: false },
  recent_calls: [],
  state: 'working' as const,
  expires_at: null,
  allowed_origins: [],
  reported_at: null,
  refused_origin: null,
})
const task = {
  id: 't',
  tenant_name: 'A',
  schedule_name: 'pull_google_review' as const,
  place_id: 'ChIJ',
  place_name: 'Bakery',
  place_address: null,
  reason: null,
  at: null,
}

/** The problems as the banner says them. */
const said = (...of: Parameters<typeof problemsOf>) =>
  problemsOf(...of).map(({ lead, reason, cost }) => [lead, reason, cost].filter(Boolean).join(' | '))

test.for([
  [{}, { refused_since: 760 }, 'Suspended | 2 keys have refused 760 calls since, and 1 task is skipped.'],
  [
    { suspended_until: new Date('2026-12-01T12:00:00').toISOString(), suspension_reason: 'invoice overdue' },
    { inactive_since: since, suspended_by: 'jonas@example.com', working_key_count: 1 },
    'Suspended by jonas on Nov 17 until Dec 1, 12:00 | invoice overdue | 1 key has refused no call since, and 1 task is skipped.',
  ],
  [
    { test_api_key_count: 1 },
    { scheduled_task_count: 2 },
    'Suspended | 2 live keys have refused no call since, and 2 tasks are skipped.',
  ],
  [{}, { working_key_count: 0, refused_since: 1, scheduled_task_count: 0 }, 'Suspended | 1 call was refused since.'],
  [{}, { working_key_count: 0, scheduled_task_count: 0 }, 'Suspended | No key and no task is affected.'],
] as const)('a suspended tenant with %j and %j: %s', ([some, counts, text]) => {
  const attention = {
    ...CALM,
    keys_refused: { count: 1, is_more: false, first: [refused('Site', 3)], of_inactive_tenants: 0 },
  }
  expect(said({ ...tenant, status: 'inactive', ...some }, { ...health, ...counts }, attention, now)).toEqual([text])
})

test.for<[Partial<Attention>, string]>([
  [
    { keys_refused: { count: 1, is_more: false, first: [refused('Site', 1_141)], of_inactive_tenants: 0 } },
    'The key Site refused 1,141 calls in 7 days | origin not allowed',
  ],
  [
    {
      keys_refused: {
        count: 2,
        is_more: false,
        first: [refused('Site', 9), refused('App', 1)],
        of_inactive_tenants: 0,
      },
    },
    '2 keys refused 10 calls in 7 days | 9 of them by Site: origin not allowed.',
  ],
  [
    {
      keys_refused: {
        count: 4,
        is_more: false,
        first: [refused('Site', 9), refused('App', 1)],
        of_inactive_tenants: 0,
      },
    },
    '4 keys refused more than 10 calls in 7 days | 9 of them by Site: origin not allowed.',
  ],
  [
    { tasks_late: { count: 1, is_more: false, first: [task] } },
    'Bakery is over 10 minutes late | No worker has started the run.',
  ],
  [
    { tasks_failing: { count: 1, is_more: false, first: [{ ...task, reason: 'No such place.' }] } },
    'The last run of Bakery failed | No such place.',
  ],
  [{ tasks_failing: { count: 2, is_more: false, first: [task] } }, 'The last runs of 2 tasks failed'],
  [
    { tasks_paused: { count: 1, is_more: false, first: [{ ...task, reason: 'Paused after 3 failures.' }] } },
    'Bakery is paused | Paused after 3 failures.',
  ],
  [
    { keys_expiring: { count: 1, is_more: false, first: [{ ...key, expires_at: '2026-11-23T12:00:00.000Z' }] } },
    'The key Site expires in 3 days | Rotate before the calls are refused.',
  ],
])('an active tenant with %j: %s', ([some, text]) => {
  expect(said(tenant, health, { ...CALM, ...some }, now)).toEqual([text])
})

test('a tenant without problems, and a pause by an admin, are no problem', () => {
  expect(said(tenant, health, { ...CALM, tasks_paused: { count: 1, is_more: false, first: [task] } }, now)).toEqual([])
})

test('a tenant whose keys do not work, and users without an admin', () => {
  const attention = { ...CALM, tenants_without_admin: { count: 1, is_more: false, first: [] } }
  expect(said(tenant, { ...health, working_key_count: 0 }, attention, now)).toEqual([
    'None of 2 keys works | Every call is refused.',
    'No active admin | No user with the role admin is active.',
  ])
  expect(said({ ...tenant, admin_count: 0 }, health, attention, now)).toEqual([])
})
