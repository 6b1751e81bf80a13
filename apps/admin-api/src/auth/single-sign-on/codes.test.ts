import { describe, expect, test } from 'vitest'
import { startSsoWorld } from '#src/testing/sso-world.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'

const { consoleUrl, provider, api, db, personAt, placeAfterSignIn, statusWith, lastAudit } = await startSsoWorld()

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
    expect([again.status, JSON.parse(again.body)]).toMatchObject([
      401,
      { detail: 'This sign-in has expired. Sign in again.' },
    ])
  })

  test('opens one session for fifty concurrent exchanges', async () => {
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
    expect([status, JSON.parse(body)]).toMatchObject([403, { detail: 'The account is inactive.' }])
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

test('the cookie is sent only to this host, and scripts cannot read it', async () => {
  const { cookies } = await openBrowser(consoleUrl).visit('/api/v1/admin/auth/oidc/start')
  expect(cookies).toEqual([expect.stringMatching(/^sso=[\w-]{43}; Path=\/; Max-Age=660; HttpOnly; SameSite=Lax$/)])
})

test('a HEAD request of a link preview does not use up the answer', async () => {
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

    await expect.poll(() => statusWith(one.session.access_token)).toBe(401)
    expect(await statusWith(other.session.access_token)).toBe(200)
    expect((await lastAudit())[0]).toMatchObject({
      action: 'single_sign_on.logout',
      outcome: 'done',
      actor_email: 'single sign-on',
      target_id: one.session.admin.id,
    })
  })
})
