import type { User } from '@switchboard/contract/users'
import { expect, test } from 'vitest'
import { toggledText, undoneText, userBadge } from './user-labels.ts'

const email = 'jo@example.com'
const admin = { email, tenant_id: null, tenant_status: null, has_password: true }
const member = {
  email,
  tenant_id: '5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d',
  tenant_status: 'active',
  has_password: true,
} as const
const asleep = { ...member, tenant_status: 'inactive' } as const

test.each<[Omit<Parameters<typeof toggledText>[0], 'is_active'>, User['is_active'], number, string]>([
  [admin, true, 0, 'jo@example.com was activated and can sign in to the console again.'],
  [admin, false, 0, 'jo@example.com was deactivated and cannot sign in to the console.'],
  [admin, false, 1, 'jo@example.com was deactivated and signed out of 1 device.'],
  [admin, false, 2, 'jo@example.com was deactivated and signed out of 2 devices.'],
  [member, true, 0, "jo@example.com was activated and can sign in to the tenant's portal again."],
  [member, false, 0, "jo@example.com was deactivated and cannot sign in to the tenant's portal."],
  [
    { ...member, has_password: false },
    true,
    0,
    'jo@example.com was activated. An invitation lets them choose a password.',
  ],
  [asleep, true, 0, "jo@example.com was activated and can sign in to the tenant's portal once the tenant is active."],
])('the result of a toggle: %o set to active: %o with %i ended sessions', (user, is_active, ended, done) => {
  expect(toggledText({ ...user, is_active }, ended)).toBe(done)
})

test.each([
  [true, 0, 'jo@example.com is active again.'],
  [true, 2, 'jo@example.com is active again and has to sign in again.'],
  [false, 0, 'jo@example.com is inactive again.'],
  [false, 2, 'jo@example.com is inactive again.'],
])('after the undo of a toggle to active: %o, %i ended sessions stay ended', (is_active, ended, undone) => {
  expect(undoneText({ email, is_active }, ended)).toBe(undone)
})

const pending = {
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-23T12:00:00.000Z',
  mail_state: null,
  mail_problem: null,
}
test.each<[Partial<Pick<User, 'is_active' | 'tenant_id' | 'has_password' | 'invitation'>>, string]>([
  [{ has_password: true }, 'Active'],
  [{ has_password: true, is_active: false }, 'Inactive'],
  // An account of the console may use single sign-on.
  [{ tenant_id: null }, 'Active'],
  [{ is_active: false }, 'Inactive'],
  [{}, 'No password'],
  [{ invitation: pending }, 'Invited'],
  [{ invitation: { ...pending, mail_state: 'queued' } }, 'Invited'],
  [{ invitation: { ...pending, mail_state: 'failed' } }, 'Mail failed'],
  [{ invitation: { ...pending, expires_at: '2026-11-21T12:00:00.000Z' } }, 'Invitation expired'],
])('the badge of a user with %o is "%s"', (fields, text) => {
  const user = { is_active: true, tenant_id: member.tenant_id, has_password: false, invitation: null, ...fields }
  expect(userBadge(user, Date.parse('2026-11-22T12:00:00.000Z')).text).toBe(text)
})
