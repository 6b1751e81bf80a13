import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSsoWorld } from '#src/testing/sso-world.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'

const { consoleUrl, provider, api, db, personAt, placeAfterSignIn, lastAudit } = await startSsoWorld()

beforeEach(async () => {
  await db.deleteFrom('sign_in_attempts').execute()
})

const userWith = async (email: string) =>
  await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

describe('a sign-in is refused and audited', () => {
  const counted = () =>
    api.deps.signInFailures.totals().find(({ labels }) => labels['reason'] === 'single_sign_on')?.count ?? 0
  const refusedWith = async (person: ReturnType<typeof personAt>, reason: string, audited: RegExp) => {
    const before = counted()
    const place = await placeAfterSignIn(person)
    expect(counted()).toBe(before + 1)
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
