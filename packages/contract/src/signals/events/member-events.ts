import * as z from 'zod/mini'
import { member } from '#src/team.ts'
import { signInMethod } from '#src/auth/sign-ins.ts'
import { ROLE_LOST_ACTION } from '#src/single-sign-on.ts'
import { securitySettings } from '#src/second-factors.ts'
import { serviceToken } from '#src/tokens.ts'
import { became, changed, type EventDescription } from './event-description.ts'

const fields = {
  ...z.pick(member, { email: true, name: true, role: true, is_active: true, may_use_password: true }).shape,
  pending_email: z.string(),
  issuer: z.string(),
  subject: z.string(),
}
const sessions = { open_sessions: z.int(), other_sessions: z.int() }
const factors = { second_factor: z.string(), second_factors: z.int() }
const CHANGES = ['team.update', 'users.update', 'users.toggle', 'auth.profile', 'email_changes.confirm']

/** Events about the people who run the console, and about their access. */
export const MEMBER_EVENTS = {
  'member.invited': {
    actions: ['invitations.create'],
    subjects: ['user'],
    description: 'A person was invited to run the console.',
    fields,
    example: { changes: { email: [null, 'ada@example.com'], role: [null, 'support'] } },
  },
  'member.invitation_withdrawn': {
    actions: ['invitations.withdraw'],
    subjects: ['user'],
    description: 'An invitation was withdrawn, by a person or because its sender lost access.',
    fields,
    example: { changes: { email: ['ada@example.com', null], role: ['support', null] } },
  },
  'member.joined': {
    actions: ['invitations.accept', 'single_sign_on.session', 'super_admins.first', 'super_admins.create'],
    when: ({ changes }) => changes['email'] !== undefined || Object.keys(changes).length === 0,
    subjects: ['user'],
    description:
      'A person began to run the console: by an invitation, by single sign-on, at the first start or by a command.',
    fields,
    example: { changes: { email: [null, 'ada@example.com'], role: [null, 'support'] } },
  },
  'member.activated': {
    actions: CHANGES,
    when: became('is_active', true),
    subjects: ['user'],
    description: 'A deactivated member was activated.',
    fields,
    example: { changes: { is_active: [false, true] } },
  },
  'member.deactivated': {
    actions: CHANGES,
    when: became('is_active', false),
    subjects: ['user'],
    description: 'A member was deactivated, and lost all access.',
    fields,
    example: { changes: { is_active: [true, false] } },
  },
  'member.role_changed': {
    actions: [...CHANGES, 'single_sign_on.session'],
    when: changed('role'),
    subjects: ['user'],
    description: 'A member got another role.',
    fields,
    example: { changes: { role: ['support', 'super_admin'] } },
  },
  'member.password_changed': {
    actions: ['auth.profile', 'auth.reset_password', 'super_admins.reset-password'],
    when: ({ changes }) => changes['password'] !== undefined || Object.keys(changes).length === 0,
    subjects: ['user'],
    description: 'The password of a member was changed by the member, by a link or by a command.',
    example: { changes: { password: [null, null] } },
  },
  'member.updated': {
    actions: [...CHANGES, 'single_sign_on.session'],
    subjects: ['user'],
    description: 'A member was changed, such as the name, the email address or the permission to use a password.',
    fields,
    example: { changes: { name: [null, 'Ada Example'] } },
  },
  'member.role_lost': {
    actions: [ROLE_LOST_ACTION],
    subjects: ['user'],
    description: 'The identity provider gives a member no role any more, so all access ended.',
    fields: sessions,
    example: { changes: { open_sessions: [2, 0] } },
  },
  'member.removed': {
    actions: ['team.remove', 'users.delete'],
    subjects: ['user'],
    description: 'A member was removed. The account can be restored for 30 days.',
    fields,
    example: { changes: { email: ['ada@example.com', null], role: ['support', null], is_active: [true, null] } },
  },
  'member.restored': {
    actions: ['users.restore'],
    subjects: ['user'],
    description: 'A removed member was restored.',
    example: {},
  },
  'member.password_reset_requested': {
    actions: ['auth.forgotten_password'],
    subjects: [null],
    description: 'A link to reset a password was sent.',
    example: {},
  },
  'session.created': {
    actions: ['auth.login'],
    subjects: [null],
    description: 'A person signed in to the console.',
    fields: { device: z.string(), method: signInMethod },
    example: { changes: { device: [null, 'Firefox on Linux'], method: [null, 'passkey'] } },
  },
  'session.ended': {
    actions: [
      'auth.logout',
      'sessions.end',
      'sessions.end_others',
      'team.end_session',
      'team.end_sessions',
      'single_sign_on.logout',
    ],
    subjects: ['user', 'session', null],
    description: 'Sessions were ended: by signing out, by their owner, by an admin or by the identity provider.',
    fields: sessions,
    example: { changes: { open_sessions: [3, 2] } },
  },
  'second_factor.added': {
    actions: ['second_factors.add_totp', 'second_factors.add_passkey'],
    subjects: [null],
    description: 'A member added an authenticator app or a passkey.',
    fields: factors,
    example: { changes: { second_factor: [null, 'Laptop'] } },
  },
  'second_factor.removed': {
    actions: ['second_factors.delete'],
    subjects: [null],
    description: 'A member removed an authenticator app or a passkey.',
    fields: factors,
    example: { changes: { second_factor: ['Laptop', null] } },
  },
  'second_factor.recovery_codes_generated': {
    actions: ['second_factors.renew_codes'],
    subjects: [null],
    description: 'A member generated new recovery codes.',
    example: {},
  },
  'second_factor.reset': {
    actions: ['second_factors.reset'],
    subjects: ['user'],
    description: 'An admin or a command removed all second factors of a member.',
    fields: factors,
    example: { changes: { second_factors: [2, 0] } },
  },
  'security.updated': {
    actions: ['security.update'],
    subjects: [null],
    description: 'The rules of signing in were changed.',
    fields: z.pick(securitySettings, { second_factor_required: true }).shape,
    example: { changes: { second_factor_required: [false, true] } },
  },
  'token.created': {
    actions: ['tokens.create'],
    subjects: ['token'],
    description: 'A service token was created. The event does not have its secret.',
    fields: {
      ...z.pick(serviceToken, { name: true, scopes: true, networks: true, expires_at: true }).shape,
      tenant_ids: z.array(z.uuid()),
    },
    example: {
      changes: {
        name: [null, 'Billing'],
        scopes: [null, ['read', 'tenants:write']],
        tenant_ids: [null, []],
        networks: [null, ['203.0.113.0/24']],
        expires_at: [null, '2027-11-20T12:00:00.000Z'],
      },
    },
  },
  'token.revoked': {
    actions: ['tokens.revoke'],
    subjects: ['token'],
    description: 'A service token was revoked, by a person or because its maker lost access.',
    fields: z.pick(serviceToken, { revoked_at: true }).shape,
    example: { changes: { revoked_at: [null, '2026-11-20T12:00:00.000Z'] } },
  },
} as const satisfies Record<string, EventDescription>
