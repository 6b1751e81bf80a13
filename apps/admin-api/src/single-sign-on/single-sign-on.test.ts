import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#src/testing/free-port.ts'
import { startIdentityProvider } from '#src/testing/identity-provider.ts'
import { startSsoApi } from '#src/testing/sso-api.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'

const consoleUrl = `http://127.0.0.1:${await freePort()}`
const provider = await startIdentityProvider(consoleUrl)
afterAll(() => provider.close())
const api = await startSsoApi(consoleUrl, provider.issuer)
const { db } = api
// The last super admin keeps the role; this one is not the subject of most tests.
await makeUser(db, { email: 'owner@example.com' })

beforeEach(async () => {
  await db.deleteFrom('sign_in_attempts').execute()
})

const withHost = async (token: string) =>
  await fetch(`${consoleUrl}/api/v1/admin/auth/me`, { headers: { authorization: `Bearer ${token}` } })
const userWith = async (email: string) =>
  await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const lastAudit = async (count = 1) =>
  (await db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc').limit(count).execute()).toReversed()

/** A person with an own subject and these claims, and a browser. */
function personAt(claims: { email?: string; email_verified?: boolean; groups?: string[] } = {}) {
  const subject: string = crypto.randomUUID()
  const email = `${subject}@example.com`
  provider.people.set(subject, { email, email_verified: true, groups: ['platform-admins'], ...claims })
  return { subject, email: claims.email ?? email, browser: openBrowser(consoleUrl) }
}

/** Signs in up to the redirect to /login. */
async function placeAfterSignIn({ subject, browser }: ReturnType<typeof personAt>, redirect?: string) {
  return await browser.comeBack(await browser.signInThere(await browser.start(redirect), subject))
}

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
    expect((await withHost(session.access_token)).status).toBe(200)
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

describe('a sign-in is refused and audited', () => {
  const refusedWith = async (person: ReturnType<typeof personAt>, reason: string, audited: RegExp) => {
    const place = await placeAfterSignIn(person)
    const [entry] = await lastAudit()
    expect(place).toBe(`/login#sso-error=${reason}`)
    expect(entry).toMatchObject({ action: 'auth.login', outcome: 'refused', actor_id: null })
    expect(entry?.reason).toMatch(audited)
    expect(await db.selectFrom('sso_codes').select('subject').where('subject', '=', person.subject).execute()).toEqual(
      [],
    )
    return entry
  }

  test('without a mapped role', async () => {
    const person = personAt({ groups: ['staff'] })
    const entry = await refusedWith(person, 'no_role', /^Single sign-on: No value of the claim groups has a role\.$/)
    expect(entry?.actor_email).toBe(person.email)
    expect(await userWith(person.email)).toBeUndefined()
  })

  test('without the claim', async () => {
    const person = personAt()
    provider.people.set(person.subject, { email: person.email })
    await refusedWith(person, 'no_role', /has a role/)
  })

  test('without an email address', async () => {
    const person = personAt()
    provider.people.set(person.subject, { groups: ['audit'] })
    await refusedWith(person, 'no_email', /no email address/)
  })

  test('with an email address that is not verified', async () => {
    await refusedWith(personAt({ email_verified: false }), 'email_unverified', /not verified/)
  })

  test('of an inactive account', async () => {
    const person = personAt()
    await person.browser.signIn(person.subject)
    await db.updateTable('users').set({ is_active: false }).where('email', '=', person.email).execute()
    await refusedWith(person, 'inactive', /inactive/)
  })

  test('with the address of a user of a tenant, or of a break-glass account', async () => {
    const tenant = await makeTenant(db)
    const [user, glass] = [personAt(), personAt()]
    await makeUser(db, { email: user.email, role: 'user', tenant_id: tenant.id })
    await makeUser(db, { email: glass.email, is_break_glass: true })
    await refusedWith(user, 'email_taken', /belongs to/)
    await refusedWith(glass, 'email_taken', /belongs to/)
  })

  test('when the person cancels', async () => {
    const person = personAt()
    await refusedWith({ ...person, subject: '' }, 'denied', /answered access_denied/)
  })

  test('in the browser of another person', async () => {
    const [one, other] = [personAt(), personAt()]
    await other.browser.start()
    const answer = await one.browser.signInThere(await one.browser.start(), one.subject)
    expect(await other.browser.comeBack(answer)).toBe('/login#sso-error=expired')
    expect(await openBrowser(consoleUrl).comeBack(answer)).toBe('/login#sso-error=expired')
    // The sign-in still works in its own browser.
    expect(await one.browser.comeBack(answer)).toMatch(/#sso=/)
  })

  test('when the answer is sent again', async () => {
    const { browser, subject } = personAt()
    const answer = await browser.signInThere(await browser.start(), subject)
    expect(await browser.comeBack(answer)).toMatch(/#sso=/)
    expect(await browser.comeBack(answer)).toBe('/login#sso-error=expired')
    expect((await lastAudit())[0]).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/finished before/),
    })
  })

  test('after ten minutes', async () => {
    const { browser, subject } = personAt()
    const answer = await browser.signInThere(await browser.start(), subject)
    api.secondsLater(601)
    expect(await browser.comeBack(answer)).toBe('/login#sso-error=expired')
    api.secondsLater(-601)
  })

  test('after ten failures of a browser within fifteen minutes', async () => {
    const { browser } = personAt()
    await browser.start()
    const answer = `${consoleUrl}/api/v1/admin/auth/oidc/callback?code=x&state=y`
    for (let n = 0; n < 10; n += 1) expect(await browser.comeBack(answer)).toBe('/login#sso-error=expired')
    expect(await browser.comeBack(answer)).toBe('/login#sso-error=too_many')
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

describe('a code', () => {
  test.for([
    ['opens one session', 0, 200],
    ['expires after a minute', 61, 401],
  ] as const)('%s', async ([, seconds, status]) => {
    const person = personAt()
    const place = await placeAfterSignIn(person)
    api.secondsLater(seconds)
    expect((await person.browser.exchange(place)).status).toBe(status)
    const again = await person.browser.exchange(place)
    api.secondsLater(-seconds)
    expect([again.status, JSON.parse(again.body)]).toEqual([
      401,
      { detail: 'This sign-in has expired. Sign in again.' },
    ])
  })

  test('opens one session of fifty exchanges at once', async () => {
    const person = personAt()
    const place = await placeAfterSignIn(person)
    const [, code] = place.split('#sso=')
    const before = await db.selectFrom('sessions').select('id').execute()
    const cookie = await cookieOf(person)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${consoleUrl}/api/v1/admin/auth/oidc/session`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(before.length + 1)
  })

  test('is useless in another browser', async () => {
    const [one, other] = [personAt(), personAt()]
    const place = await placeAfterSignIn(one)
    await other.browser.start()
    expect((await other.browser.exchange(place)).status).toBe(401)
    expect((await openBrowser(consoleUrl).exchange(place)).status).toBe(401)
    expect((await one.browser.exchange(place)).status).toBe(200)
  })

  test('is refused when the account was deactivated meanwhile', async () => {
    const person = personAt()
    await person.browser.signIn(person.subject)
    const place = await placeAfterSignIn(person)
    await db.updateTable('users').set({ is_active: false }).where('email', '=', person.email).execute()
    const { status, body } = await person.browser.exchange(place)
    expect([status, JSON.parse(body)]).toEqual([403, { detail: 'The account is inactive.' }])
  })
})

/** The cookie of a browser, read from a further start of a sign-in. */
async function cookieOf({ browser }: ReturnType<typeof personAt>): Promise<string> {
  const { cookies } = await browser.visit('/api/v1/admin/auth/oidc/start')
  return cookies.join().split(';')[0] ?? ''
}

test('nothing secret of a sign-in is stored in readable form', async () => {
  const person = personAt()
  const address = await person.browser.start()
  const { searchParams } = new URL(address)
  const place = await person.browser.comeBack(await person.browser.signInThere(address, person.subject))
  const rows = [...(await db.selectFrom('sso_flows').selectAll().execute()), ...(await codes())]
  const dump = JSON.stringify(rows, (_, value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))
  for (const secret of [searchParams.get('state') ?? '', place.split('#sso=')[1] ?? ''])
    expect(dump).not.toContain(secret)
})

const codes = async () => await db.selectFrom('sso_codes').selectAll().execute()

test('the cookie is for this browser alone, and a site on a subdomain cannot set it under https', async () => {
  const { cookies } = await openBrowser(consoleUrl).visit('/api/v1/admin/auth/oidc/start')
  expect(cookies).toEqual([expect.stringMatching(/^sso=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax$/)])
})

test('a HEAD request of a link preview uses no answer up', async () => {
  const person = personAt()
  const answer = await person.browser.signInThere(await person.browser.start(), person.subject)
  expect((await fetch(answer, { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
  expect(await person.browser.comeBack(answer)).toMatch(/#sso=/)
})

describe('back-channel logout', () => {
  test('ends the session of the identity provider that has ended, and no other session', async () => {
    const person = personAt()
    const [first, second] = [openBrowser(consoleUrl), openBrowser(consoleUrl)]
    const [one, other] = [await first.signIn(person.subject), await second.signIn(person.subject)]
    expect((await first.signOutThere(provider.issuer)).status).toBe(303)

    await expect.poll(async () => (await withHost(one.session.access_token)).status).toBe(401)
    expect((await withHost(other.session.access_token)).status).toBe(200)
    expect((await lastAudit())[0]).toMatchObject({
      action: 'single_sign_on.logout',
      outcome: 'done',
      actor_email: 'single sign-on',
      target_id: one.session.admin.id,
    })
  })
})
