import { expect, test } from 'vitest'
import { unexplained } from './unexplained-access.ts'

const id = '5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d'
const NONE = 'no entry of the audit log created it'
const ENDED = 'an entry of the audit log ended its access'
const created = (role: string) => ['invitations.accept', { role: { before: null, after: role } }] as const
const first = ['super_admins.first', {}] as const
const removed = [
  'team.remove',
  { role: { before: 'support', after: null }, is_active: { before: true, after: null } },
] as const
const toggled = (after: boolean) => ['users.toggle', { is_active: { before: !after, after } }] as const
const promoted = (after: string) => ['team.update', { role: { before: 'support', after } }] as const
const revoked = ['tokens.revoke', { revoked_at: { before: null, after: '2026-11-28T12:00:00.000Z' } }] as const
const renamed = ['users.update', { email: { before: 'a@example.com', after: 'b@example.com' } }] as const

type Entry = readonly [action: string, changes: Record<string, { before: unknown; after: unknown }>]
const CASES: [name: string, role: string, entries: Entry[], reason: string | null][] = [
  ['no entry', 'super_admin', [], NONE],
  ['entries that did not make the account', 'super_admin', [renamed, toggled(true)], NONE],
  ['the first super admin', 'super_admin', [first], null],
  ['a super admin of the command line', 'super_admin', [['super_admins.create', {}], renamed], null],
  ['an accepted invitation', 'auditor', [created('auditor')], null],
  [
    'another role than that of the invitation',
    'super_admin',
    [created('auditor')],
    'the audit log gives it other rights: auditor',
  ],
  ['a promotion', 'super_admin', [created('support'), promoted('super_admin')], null],
  [
    'a demotion that is undone in the database',
    'super_admin',
    [first, promoted('auditor')],
    'the audit log gives it other rights: auditor',
  ],
  ['a deactivation', 'support', [created('support'), toggled(false)], ENDED],
  ['a deactivation that was taken back', 'support', [created('support'), toggled(false), toggled(true)], null],
  ['a removal', 'support', [created('support'), removed], ENDED],
  ['a removal that was undone', 'support', [created('support'), removed, ['users.restore', {}]], null],
  ['a token', 'support', [['tokens.create', { role: { before: null, after: 'support' } }]], null],
  ['a revoked token', 'support', [['tokens.create', { role: { before: null, after: 'support' } }], revoked], ENDED],
]

test.for(CASES)('%s', ([, role, entries, reason]) => {
  const audited = entries.map(([action, changes]) => ({ target_id: id, action, changes }))
  expect(unexplained({ role }, audited)).toBe(reason)
})
