import { openRunQueue } from '@switchboard/jobs/run-queue'
import { createMailer } from '@switchboard/mail/mailer'
import { createLogger } from '@switchboard/server/process/log'
import { makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startSsoWorld } from '#src/testing/sso-world.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'

const { consoleUrl, provider, api, db, personAt, placeAfterSignIn, statusWith, lastAudit } = await startSsoWorld()

beforeEach(async () => {
  await db.deleteFrom('sign_in_attempts').execute()
})

const userWith = async (email: string) =>
  await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

describe('the first sign-in', () => {
  test('creates an account with the mapped role, opens a session, and is audited', async () => {
    const { subject, email, browser } = personAt({ groups: ['staff', 'helpers'] })
    const { status, session } = await browser.signIn(subject)

    expect(status).toBe(200)
    expect(session).toMatchObject({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'bearer',
      admin: { email, role: 'support', is_active: true },
    })
    expect(await statusWith(session.access_token)).toBe(200)
    expect(await lastAudit(2)).toMatchObject([
      {
        action: 'single_sign_on.session',
        actor_email: email,
        target_name: email,
        changes: { email: { after: email }, role: { after: 'support' }, subject: { after: subject } },
      },
      { action: 'auth.login', outcome: 'done', actor_email: email },
    ])
  })

  test('creates an account that no password opens', async () => {
    const { subject, email, browser } = personAt()
    await browser.signIn(subject)
    for (const password of ['', 'none', 'four kettles under plum']) {
      const json = { email, password }
      expect((await browser.visit('/api/v1/admin/auth/login', { json })).status).toBe(401)
    }
  })

  test('leads back to the requested page, without the token in an address', async () => {
    const person = personAt()
    const place = await placeAfterSignIn(person, '/tenants?status=inactive')
    expect(place).toMatch(/^\/login\?redirect=%2Ftenants%3Fstatus%3Dinactive#sso=[\w-]{43}$/)
    const { body } = await person.browser.exchange(place)
    expect(place).not.toContain(JSON.parse(body).access_token)
  })

  test('needs no email_verified claim for a new account', async () => {
    const subject = crypto.randomUUID()
    provider.people.set(subject, { email: `${subject}@example.com`, groups: ['audit'] })
    const { session } = await openBrowser(consoleUrl).signIn(subject)
    expect(session.admin.role).toBe('auditor')
  })

  test('asks for no second factor, which the identity provider checks', async () => {
    await db.updateTable('security_settings').set({ second_factor_required: true }).execute()
    onTestFinished(async () => {
      await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
    })
    const { subject, browser } = personAt()
    const { session } = await browser.signIn(subject)
    expect(session.admin).not.toHaveProperty('must_enroll')
    expect(await statusWith(session.access_token)).toBe(200)
  })

  test('in parallel tabs creates one account', async () => {
    const { subject, browser, email } = personAt()
    const places = []
    for (let tab = 0; tab < 4; tab += 1)
      places.push(await browser.comeBack(await browser.signInThere(await browser.start(), subject)))
    const cookies = await Promise.all(places.map((place) => browser.exchange(place)))
    expect(cookies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1)
  })
})

describe('the role', () => {
  test('is renewed at each sign-in', async () => {
    const { subject, email, browser } = personAt({ groups: ['platform-admins'] })
    const first = await browser.signIn(subject)
    provider.people.set(subject, { groups: ['audit'] })
    const second = await browser.signIn(subject)

    expect([first.session.admin.role, second.session.admin.role]).toEqual(['super_admin', 'auditor'])
    expect(second.session.admin.id).toBe(first.session.admin.id)
    expect(await userWith(email)).toMatchObject({ role: 'auditor', version: 2 })
    const [renewed] = await lastAudit(2)
    expect(renewed?.changes).toEqual({ role: { before: 'super_admin', after: 'auditor' } })
  })

  test('is the role with the most permissions of all values', async () => {
    const { subject, browser } = personAt({ groups: ['audit', 'helpers', 'platform-admins'] })
    expect((await browser.signIn(subject)).session.admin.role).toBe('super_admin')
  })

  test('stays the same for the last active super admin', async () => {
    const { subject, browser } = personAt()
    await browser.signIn(subject)
    const others = () =>
      db.updateTable('users').where('role', '=', 'super_admin').where('email', '=', 'owner@example.com')
    await db
      .updateTable('users')
      .set({ is_active: false })
      .where('email', '!=', `${subject}@example.com`)
      .where('role', '=', 'super_admin')
      .execute()
    provider.people.set(subject, { groups: ['audit'] })
    expect((await browser.signIn(subject)).session.admin.role).toBe('super_admin')
    await others().set({ is_active: true }).execute()
    expect((await browser.signIn(subject)).session.admin.role).toBe('auditor')
  })
})

describe('a person who no longer has a role at the identity provider', () => {
  test('loses the sessions and the password, cannot get a new password, and can only come back by single sign-on', async () => {
    const { subject, email, browser } = personAt()
    const { session } = await browser.signIn(subject)
    const password = 'four kettles under plum'
    const password_hash = await api.deps.passwords.hash(password)
    await db.updateTable('users').set({ may_use_password: true, password_hash }).where('email', '=', email).execute()
    const login = async () => (await browser.visit('/api/v1/admin/auth/login', { json: { email, password } })).status
    expect(await login()).toBe(200)

    provider.people.set(subject, { email, email_verified: true, groups: [] })
    expect(await placeAfterSignIn({ subject, email, browser: openBrowser(consoleUrl) })).toBe(
      '/login#sso-error=no_role',
    )
    expect([await statusWith(session.access_token), await login()]).toEqual([401, 401])
    const entries = db.selectFrom('audit_entries').selectAll().where('action', '=', 'single_sign_on.no_role')
    const [entry, ...more] = await entries.where('target_name', '=', email).execute()
    expect([entry, more]).toMatchObject([
      {
        actor_email: 'single sign-on',
        changes: { open_sessions: { before: 2, after: 0 }, password: { before: '•••', after: '•••' } },
      },
      [],
    ])
    expect(await userWith(email)).toMatchObject({ password_hash: 'none', may_use_password: false, is_active: true })

    // Nothing is left to end, so there is no further entry.
    await placeAfterSignIn({ subject, email, browser: openBrowser(consoleUrl) })
    expect(await entries.where('target_name', '=', email).execute()).toHaveLength(1)
    provider.people.set(subject, { email, email_verified: true, groups: ['helpers'] })
    expect((await openBrowser(consoleUrl).signIn(subject)).session.admin.role).toBe('support')
  })

  test('is found by the identity, not by the address, which anyone could have there', async () => {
    const victim = await makeUser(db, { password_hash: await api.deps.passwords.hash('four kettles under plum') })
    const stranger = personAt({ email: victim.email, groups: [] })
    expect(await placeAfterSignIn(stranger)).toBe('/login#sso-error=no_role')
    expect(await userWith(victim.email)).toMatchObject({ password_hash: victim.password_hash })
  })
})

describe('an account of the console with the same address', () => {
  test('is linked when the identity provider has verified the address', async () => {
    const person = personAt({ groups: ['helpers'] })
    const { id } = await makeUser(db, { email: person.email.toUpperCase(), role: 'auditor' })
    const { session } = await person.browser.signIn(person.subject)
    expect(session.admin).toMatchObject({ id, role: 'support' })
    const [linked] = await lastAudit(2)
    expect(linked?.changes).toMatchObject({ subject: { before: null, after: person.subject } })
  })

  test('is not linked when the claim email_verified is absent', async () => {
    const person = personAt()
    await makeUser(db, { email: person.email })
    provider.people.set(person.subject, { email: person.email, groups: ['audit'] })
    expect(await placeAfterSignIn(person)).toBe('/login#sso-error=email_unverified')
  })

  test('is found by its identity after a change of either address', async () => {
    const person = personAt()
    const first = await person.browser.signIn(person.subject)
    provider.people.set(person.subject, { email: 'married@example.com', email_verified: false, groups: ['audit'] })
    const second = await person.browser.signIn(person.subject)
    expect(second.session.admin).toMatchObject({ id: first.session.admin.id, email: person.email })
  })
})

test('a sign-in from a new network queues a mail, and so does a new role from the claim', async () => {
  const queue = await openRunQueue({ db, directUrl: api.databaseUrl, log: createLogger('silent'), isWorker: false })
  const smtp = { smtpUrl: 'smtp://127.0.0.1:1', from: { address: 'c@example.com' }, consoleUrl }
  Object.assign(api.deps, { mailer: createMailer(smtp, 'Switchboard'), mails: queue.mails })
  onTestFinished(async () => {
    api.deps.mailer = null
    await queue.stop()
  })
  const { subject, browser } = personAt()
  const { session } = await browser.signIn(subject)
  const devices = () => db.selectFrom('known_devices').selectAll().where('user_id', '=', session.admin.id).execute()
  expect(await devices()).toMatchObject([{ mail_state: null }])
  await db.updateTable('known_devices').set({ network: '203.0.113.4' }).execute()
  await browser.signIn(subject)
  expect(await devices()).toContainEqual(
    expect.objectContaining({ network: '127.0.0.1', mail_to: session.admin.email, mail_state: 'queued' }),
  )
  const { email } = session.admin
  await makeUser(db)
  provider.people.set(subject, { email, email_verified: true, groups: ['audit'] })
  await browser.signIn(subject)
  const notices = await db.selectFrom('account_notices').selectAll().where('mail_to', '=', email).execute()
  expect(notices).toMatchObject([
    { changes: ['The role was changed from super admin to auditor.'], changed_by: email, address: '127.0.0.1' },
  ])
})
