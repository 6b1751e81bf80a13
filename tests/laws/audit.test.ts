import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { answerChallenge } from '@switchboard/contract/auth'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { COMMAND_LINE_ACTIONS } from '@switchboard/contract/activity'
import { changeUserPassword } from '@switchboard/contract/users/user-verification'
import { ROLE_LOST_ACTION } from '@switchboard/contract/single-sign-on'
import { TOKEN_REFUSED_ACTION } from '@switchboard/contract/tokens'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import { makeUser, makeApiKey, makeTask, makeTenant } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { linkTokenHash } from '@switchboard/mail/links'
import { createMailer } from '@switchboard/mail/mailer'
import { startMailbox } from '@switchboard/testing/mailbox'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { LinkKind } from '@switchboard/contract/links'
import { accessTokenHash } from '#apps/admin-api/src/auth/access-token.ts'
import { createAuthenticator } from '#apps/admin-api/src/testing/software-authenticator.ts'
import { base32Of, totpCodes } from '#apps/admin-api/src/testing/totp-codes.ts'
import { startSession } from '#apps/admin-api/src/auth/sessions/sessions.service.ts'
import { PASSWORD, startTestApi } from '#apps/admin-api/src/testing/test-api.ts'
import { ACTION_LABELS } from '#apps/console/src/activity/activity-labels.ts'
import { dumpOf } from './dump.ts'
import { newDevice } from './good-calls.ts'
import { failAt, prepareWriteFaults } from './write-faults.ts'

// Every change writes its audit row in the same transaction: both are committed, or neither.

/** Audited as a sign-in. */
const SECOND_STEP = answerChallenge.schema.operationId

const changes = (ADMIN_API_ENDPOINTS satisfies readonly Endpoint[])
  .filter(({ method, config }) => method !== 'GET' && config?.reads !== true)
  .map(({ schema }) => schema.operationId)

/** The audited call of ai-api. Runs are audited as `tasks.run`. */
const ofPortals = changeUserPassword.schema.operationId

test('every audited action has a label on screen, and every label an action', () => {
  const known = changes.filter((action) => action !== SECOND_STEP)
  const actions = [...known, ofPortals, ...COMMAND_LINE_ACTIONS, TOKEN_REFUSED_ACTION, ROLE_LOST_ACTION]
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual(actions.toSorted())
})

const SITE = { origin: 'http://localhost', rp_id: 'localhost' }
const WEBAUTHN_CHALLENGE = 'a'.repeat(43)
const mailbox = await startMailbox()
afterAll(() => mailbox.close())
const mailer = createMailer(
  { smtpUrl: mailbox.url, from: { address: 'console@example.com' }, consoleUrl: 'https://console.example.com' },
  'Switchboard',
)
// The queue is another system; its jobs are rows of the same transaction, as `send-link.test.ts` shows.
const api = await startTestApi({ publicUrl: SITE.origin, mailer, mails: { enqueue: async () => undefined } })
const { db } = api
const actor = await api.signIn('ada@example.com')
const login = { email: 'ada@example.com', password: PASSWORD }
for (let n = 0; n < 2; n += 1) await api.call({ method: 'POST', url: '/api/v1/admin/auth/login', body: login })
const other = await db
  .selectFrom('sessions')
  .select('id')
  .where('token_hash', '!=', accessTokenHash(actor.token))
  .executeTakeFirstOrThrow()
const tenant = await makeTenant(db)
const toggled = await makeUser(db, { role: 'user', tenant_id: tenant.id })
// Restored records, so that the deletion of the other tenant stays short.
const lasting = await makeTenant(db)
const deleted = await makeUser(db, { role: 'user', tenant_id: lasting.id })
const member = await makeUser(db, { role: 'support' })
const removed = await makeUser(db, { role: 'auditor' })
const openSession = () => startSession(api.deps, db, { user_id: member.id, address: null, user_agent: null })
await openSession()
const session = await db.selectFrom('sessions').select('id').where('user_id', '=', member.id).executeTakeFirstOrThrow()
await openSession()
const key = await makeApiKey(db, { tenant_id: tenant.id })
const graceEnd = new Date(api.clock.at.getTime() + 3_600_000)
const inGrace = await makeApiKey(db, {
  tenant_id: tenant.id,
  rotated_at: api.clock.at,
  grace_ends_at: graceEnd,
  expires_at: graceEnd,
  original_expires_at: null,
})
const task = await makeTask(db, { tenant_id: lasting.id })
const purged = crypto.randomUUID()
const kept = { id: purged, name: 'Purged', subdomain: 'purged', record: '{}' }
await db.insertInto('deleted_tenants').values(kept).execute()
const note = await db
  .insertInto('tenant_notes')
  .values({ tenant_id: tenant.id, text: 'Old.', author_id: actor.admin.id, author_email: 'grace@example.com' })
  .returning('id')
  .executeTakeFirstOrThrow()
const device = await db
  .insertInto('known_devices')
  .values(newDevice(actor.admin.id))
  .returning('id')
  .executeTakeFirstOrThrow()
const colleague = await makeUser(db, { role: 'support' })
const oldFactor = await db
  .insertInto('second_factors')
  .values({
    user_id: actor.admin.id,
    kind: 'totp',
    name: 'Old phone',
    created_at: api.clock.at,
    totp_secret: Buffer.from('four kettles of plum'),
    totp_step: 1,
  })
  .returning('id')
  .executeTakeFirstOrThrow()
await db.updateTable('sessions').set({ confirmed_with_factor_at: api.clock.at }).execute()
const totpSecret = Buffer.from('seven sisters, dusk.')
const enrollments = { totp: crypto.randomUUID(), passkey: crypto.randomUUID() }
const enrollment = {
  user_id: actor.admin.id,
  purpose: 'enrollment' as const,
  created_at: api.clock.at,
  expires_at: graceEnd,
  webauthn_challenge: WEBAUTHN_CHALLENGE,
}
await db
  .insertInto('sign_in_challenges')
  .values([
    { ...enrollment, id: enrollments.totp, totp_secret: totpSecret },
    { ...enrollment, id: enrollments.passkey },
  ])
  .execute()
const machine = await makeToken(db, { created_by_id: actor.admin.id })
const newLink = (fields: { kind: LinkKind; email: string; token: string; role?: 'support'; user_id?: string }) => {
  const { token, role = null, ...link } = fields
  const inviter = link.kind === 'password_reset' ? {} : { invited_by: 'ada@example.com', invited_by_id: actor.admin.id }
  const times = { created_at: api.clock.at, expires_at: new Date(api.clock.at.getTime() + 3_600_000) }
  return db
    .insertInto('links')
    .values({ ...link, folded_email: link.email, role, ...inviter, ...times, token_hash: linkTokenHash(token) })
    .returning('id')
    .executeTakeFirstOrThrow()
}
const resent = await newLink({ kind: 'invitation', email: 'resent@example.com', role: 'support', token: 'resent' })
const withdrawn = await newLink({ kind: 'invitation', email: 'late@example.com', role: 'support', token: 'withdrawn' })
await newLink({ kind: 'invitation', email: 'accepted@example.com', role: 'support', token: 'accepted' })
const forgetful = await makeUser(db, { email: 'forgetful@example.com' })
await newLink({ kind: 'password_reset', email: forgetful.email, user_id: forgetful.id, token: 'reset' })
await newLink({ kind: 'email_change', email: 'changed@example.com', user_id: colleague.id, token: 'changed' })
const password = 'seven sisters walk at dusk'
const template = '/prompts/templates/general'
await prepareWriteFaults(db)

/** A valid call of each kind: description, address, body. The order matters, because every call is executed. */
const CALLS: Record<string, [method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown]> = {
  'tenants.export': ['POST', '/tenants/export'],
  'users.export': ['POST', '/tenant-admins/export'],
  'api_keys.export': ['POST', '/api-keys/export'],
  'tasks.export': ['POST', '/tasks/export'],
  'runs.export': ['POST', '/tasks/runs/export'],
  'audit.export': ['POST', '/audit/export'],
  'tenants.create': ['POST', '/tenants', { name: 'New', subdomain: 'new-tenant', tenant_type: 'product' }],
  'tenants.import': [
    'POST',
    '/tenants/import',
    { dry_run: false, rows: [{ name: 'Imported', subdomain: 'imported', tenant_type: 'service' }] },
  ],
  'tenants.update': ['PUT', `/tenants/${tenant.id}`, { goal: 'sell' }],
  'users.create': [
    'POST',
    '/tenant-admins',
    { email: 'new@example.com', password: 'seven sisters walk at dusk', role: 'user', tenant_id: tenant.id },
  ],
  'users.import': [
    'POST',
    '/tenant-admins/import',
    { dry_run: false, rows: [{ email: 'imported@example.com', role: 'user', tenant_id: tenant.id }] },
  ],
  'users.toggle': ['PATCH', `/tenant-admins/${toggled.id}/toggle`, { is_active: false }],
  'users.update': ['PATCH', `/tenant-admins/${toggled.id}`, { role: 'manager' }],
  'users.set_password': ['PUT', `/tenant-admins/${toggled.id}/password`, { password: 'seven sisters walk at dusk' }],
  'users.delete': ['DELETE', `/tenant-admins/${deleted.id}`],
  'users.restore': ['POST', `/tenant-admins/${deleted.id}/restore`],
  'team.end_session': ['DELETE', `/team/${member.id}/sessions/${session.id}`],
  'team.end_sessions': ['DELETE', `/team/${member.id}/sessions`],
  'team.update': ['PATCH', `/team/${member.id}`, { role: 'auditor', is_active: false }],
  'team.remove': ['DELETE', `/team/${removed.id}`],
  'api_keys.create': ['POST', '/api-keys', { tenant_id: tenant.id }],
  'api_keys.update': ['PATCH', `/api-keys/${inGrace.id}`, { name: 'Renamed' }],
  'api_keys.rotate': ['POST', `/api-keys/${key.id}/rotate`, { grace_seconds: 900, version: 1 }],
  'api_keys.toggle': ['PATCH', `/api-keys/${key.id}/toggle`, { is_active: false }],
  'api_keys.extend_grace': ['POST', `/api-keys/${inGrace.id}/extend-grace`, { grace_seconds: 86_400 }],
  'api_keys.end_grace': ['POST', `/api-keys/${inGrace.id}/end-grace`],
  'api_keys.delete': ['DELETE', `/api-keys/${inGrace.id}`],
  'api_keys.restore': ['POST', `/api-keys/${inGrace.id}/restore`],
  'tasks.create': [
    'POST',
    '/tasks/schedule',
    {
      tenant_id: tenant.id,
      schedule_name: 'pull_google_review',
      frequency: 'daily',
      extra_data: { place_id: 'ChIJN1t_tDeuEmsRUsoyG83frY4' },
    },
  ],
  'tasks.update': ['PUT', `/tasks/${task.id}`, { is_paused: true }],
  'tasks.delete': ['DELETE', `/tasks/${lasting.id}/schedule/${task.id}`],
  'tasks.restore': ['POST', `/tasks/${task.id}/restore`],
  'prompts.save': ['PUT', template, { template: 'Help with {{ goal }}.' }],
  'prompts.restore': ['POST', `${template}/versions/1/restore`],
  'notes.create': ['POST', `/tenants/${tenant.id}/notes`, { text: 'Renews in March.' }],
  'notes.update': ['PUT', `/tenants/${tenant.id}/notes/${note.id}`, { text: 'Renews in May.' }],
  'notes.delete': ['DELETE', `/tenants/${tenant.id}/notes/${note.id}`],
  'tenants.delete': ['DELETE', `/tenants/${tenant.id}`],
  'tenants.restore': ['POST', `/tenants/${tenant.id}/restore`],
  'tenants.purge': ['POST', `/tenants/${purged}/purge`],
  'sign_ins.dismiss': ['DELETE', `/auth/sign-ins/new/${device.id}`],
  'second_factors.delete': ['DELETE', `/auth/second-factors/${oldFactor.id}`],
  // After the second factor, because the password of an account with one confirms nothing.
  'auth.confirm': ['POST', '/auth/confirm', { password: PASSWORD }],
  'tokens.create': ['POST', '/tokens', { name: 'Billing', role: 'support' }],
  'tokens.revoke': ['DELETE', `/tokens/${machine.id}`],
  'invitations.create': ['POST', '/team/invitations', { email: 'invited@example.com', role: 'auditor' }],
  'invitations.resend': ['POST', `/team/invitations/${resent.id}/resend`],
  'invitations.withdraw': ['DELETE', `/team/invitations/${withdrawn.id}`],
  'invitations.accept': ['POST', '/auth/invitations/accept', { token: 'accepted', password }],
  'auth.forgotten_password': ['POST', '/auth/forgotten-password', { email: 'unknown@example.com' }],
  'auth.reset_password': ['POST', '/auth/reset-password', { token: 'reset', password }],
  'mail.test': ['POST', '/mail/test'],
  'sessions.end': ['DELETE', `/auth/sessions/${other.id}`],
  'sessions.end_others': ['DELETE', '/auth/sessions'],
  'auth.profile': ['PUT', '/auth/profile', { email: 'renamed@example.com', current_password: PASSWORD }],
  'email_changes.resend': ['POST', `/auth/email-changes/${actor.admin.id}/resend`],
  'email_changes.cancel': ['DELETE', `/auth/email-changes/${actor.admin.id}`],
  'email_changes.confirm': ['POST', '/auth/email-changes/confirm', { token: 'changed' }],
  'auth.login': ['POST', '/auth/login', login],
  'second_factors.add_totp': [
    'POST',
    '/auth/second-factors/totp',
    { id: enrollments.totp, name: 'Phone', code: totpCodes(base32Of(totpSecret))(api.clock.at) },
  ],
  'second_factors.add_passkey': [
    'POST',
    '/auth/second-factors/passkey',
    { id: enrollments.passkey, name: 'Laptop', passkey: createAuthenticator(SITE).create(WEBAUTHN_CHALLENGE) },
  ],
  'second_factors.renew_codes': ['POST', '/auth/second-factors/recovery-codes'],
  'security.update': ['PUT', '/security', { second_factor_required: true }],
  'second_factors.reset': ['DELETE', `/team/${colleague.id}/second-factor`],
  'auth.logout': ['POST', '/auth/logout'],
}

test('every change of this server has a call in this test', () => {
  // ai-api writes the row of the first call, with the run. The second changes only the count of look-ups. The
  // third writes the row of a sign-in. Single sign-on needs an identity provider: single-sign-on.test.ts of admin-api. The
  // others repeat the calls above in bulk. A backup is a file: system.test.ts of admin-api.
  const elsewhere = [
    'tasks.run',
    'places.generate_id',
    'system.back_up',
    SECOND_STEP,
    'single_sign_on.session',
    'single_sign_on.logout',
    ...changes.filter((action) => action.endsWith('.bulk')),
  ]
  expect([...Object.keys(CALLS), ...elsewhere].toSorted()).toEqual(changes.toSorted())
})

test.for(Object.entries(CALLS))('%s and its audit row are committed together or not at all', async ([action, call]) => {
  const [method, path, body] = call
  const send = async () => {
    // The number of password reset links is limited per hour.
    await db.deleteFrom('sign_in_attempts').execute()
    return await actor.call({ method, url: `/api/v1/admin${path}`, ...(body === undefined ? {} : { body }) })
  }
  // A failed sign-in is counted first, so that parallel attempts cannot outrun the count.
  const world = async () => await dumpOf(db, ['sign_in_attempts'])

  await sealAudit(db)
  const before = await world()
  await sql`create trigger audit_is_broken before insert on audit_unsealed execute function refuse_change()`.execute(db)
  expect((await send()).statusCode).toBe(500)
  await sql`drop trigger audit_is_broken on audit_unsealed`.execute(db)
  expect(await world()).toBe(before)

  let writes = 0
  for (;;) {
    await failAt(db, writes + 1)
    const { statusCode } = await send()
    if (statusCode < 300) break
    expect(statusCode).toBe(500)
    expect(await world(), `after a fault at write ${writes + 1}`).toBe(before)
    writes += 1
  }
  await failAt(db, 0)
  // The audit entry is one of them.
  expect(writes).toBeGreaterThanOrEqual(1)
  const last = await db
    .selectFrom('audit_entries')
    .select(['action', 'outcome'])
    .orderBy('seq', 'desc')
    .executeTakeFirst()
  expect(last).toEqual({ action, outcome: 'done' })
})
