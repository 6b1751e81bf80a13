import * as z from 'zod/mini'
import { user } from '#src/users.ts'
import { became, type EventDescription, type LoggedEntry } from './event-description.ts'

/** A user without a tenant is a member. */
function isOfTenant({ tenant_id }: Pick<LoggedEntry, 'tenant_id'>): boolean {
  return tenant_id !== null
}

const isActivated = became('is_active', true)
const isDeactivated = became('is_active', false)
const fields = z.pick(user, {
  email: true,
  name: true,
  external_id: true,
  role: true,
  tenant_id: true,
  is_active: true,
  must_change_password: true,
}).shape

/** Events about users of tenants. */
export const USER_EVENTS = {
  'user.created': {
    actions: ['users.create', 'users.import'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A user of a tenant was created.',
    fields: { ...fields, send_invitation: z.boolean() },
    example: {
      changes: {
        email: [null, 'jo@example.com'],
        role: [null, 'manager'],
        tenant_id: [null, '5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d'],
      },
    },
  },
  'user.activated': {
    actions: ['users.toggle', 'users.update'],
    when: (entry) => isOfTenant(entry) && isActivated(entry),
    subjects: ['user'],
    description: 'A user of a tenant was activated.',
    fields,
    example: { changes: { is_active: [false, true] } },
  },
  'user.deactivated': {
    actions: ['users.toggle', 'users.update'],
    when: (entry) => isOfTenant(entry) && isDeactivated(entry),
    subjects: ['user'],
    description: 'A user of a tenant was deactivated, and can no longer sign in.',
    fields,
    example: { changes: { is_active: [true, false] } },
  },
  'user.updated': {
    actions: ['users.update'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A user of a tenant was changed, such as the email address or the role.',
    fields,
    example: { changes: { role: ['user', 'manager'] } },
  },
  'user.invited': {
    actions: ['users.invite'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A user of a tenant got another link to choose a first password.',
    example: {},
  },
  'user.invitation_accepted': {
    actions: ['users.accept_invitation'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'An invited user of a tenant chose a first password at the portal.',
    fields,
    example: { changes: { password: [null, null], must_change_password: [true, false] } },
  },
  'user.password_changed': {
    actions: ['users.set_password', 'users.password'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A user of a tenant got a new password from an admin, or chose one at a portal.',
    fields,
    example: { changes: { password: [null, null], must_change_password: [false, true] } },
  },
  'user.deleted': {
    actions: ['users.delete'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A user of a tenant was deleted. The user can be restored for 30 days.',
    fields,
    example: { changes: { email: ['jo@example.com', null], role: ['manager', null] } },
  },
  'user.restored': {
    actions: ['users.restore'],
    when: isOfTenant,
    subjects: ['user'],
    description: 'A deleted user of a tenant was restored.',
    example: {},
  },
} as const satisfies Record<string, EventDescription>
