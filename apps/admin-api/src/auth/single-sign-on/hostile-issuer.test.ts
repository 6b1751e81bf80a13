import { finishSingleSignOn } from '@switchboard/contract/single-sign-on'
import { makeUser } from '@switchboard/testing/factories'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '#src/testing/free-port.ts'
import { startHostileIssuer } from '#src/testing/hostile-issuer.ts'
import { CLIENT } from '#src/testing/identity-provider.ts'
import { startSsoApi } from '#src/testing/sso-api.ts'
import { openBrowser } from '#src/testing/sso-browser.ts'

// Answers that an attacker could give: each is refused, opens nothing and is audited.

const issuer = await startHostileIssuer()
afterAll(() => issuer.close())
const consoleUrl = `http://127.0.0.1:${await freePort()}`
const redirectUri = `${consoleUrl}${finishSingleSignOn.url}`
const api = await startSsoApi(consoleUrl, issuer.url)
const { db } = api
await makeUser(db, { email: 'mallory@example.com' })

type Claims = Record<string, unknown>
const { sign } = issuer
const seconds = () => Math.floor(Date.now() / 1_000)

beforeEach(async () => {
  issuer.next = sign.right
  await db.deleteFrom('sign_in_attempts').execute()
})

const lastAudit = async () => await db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').executeTakeFirst()
const opened = async () =>
  [
    ...(await db.selectFrom('sso_codes').select('subject').execute()),
    ...(await db.selectFrom('sessions').select('id').execute()),
  ].length

test('the right answer of this issuer signs in', async () => {
  const browser = openBrowser(consoleUrl)
  const place = await browser.comeBack(issuer.answerTo(await browser.start(), redirectUri))
  expect(JSON.parse((await browser.exchange(place)).body).admin.role).toBe('super_admin')
})

describe('refused', () => {
  const ANSWERS: [name: string, next: (claims: Claims) => Promise<Claims | string>, reason: RegExp][] = [
    ['another issuer', (claims) => sign.right({ ...claims, iss: 'https://evil.example' }), /"iss"/],
    ['another audience', (claims) => sign.right({ ...claims, aud: 'another-client' }), /"aud"/],
    [
      'several audiences without this client as the authorized party',
      (claims) => sign.right({ ...claims, aud: [CLIENT.clientId, 'another'], azp: 'another' }),
      /"azp"/,
    ],
    ['another nonce', (claims) => sign.right({ ...claims, nonce: 'another' }), /"nonce"/],
    ['no nonce', (claims) => sign.right({ ...claims, nonce: undefined }), /"nonce"/],
    ['an expired token', (claims) => sign.right({ ...claims, exp: seconds() - 120 }), /"exp"/],
    ['a token without expiry', (claims) => sign.right({ ...claims, exp: undefined }), /"exp"/],
    ['a token that is not valid yet', (claims) => sign.right({ ...claims, nbf: seconds() + 600 }), /"nbf"/],
    ['the algorithm none', (claims) => sign.unsigned(claims), /"alg"/],
    ['the client secret as the key', (claims) => sign.withSecret(claims), /"alg"/],
    ['a signature by another key', (claims) => sign.byOtherKey(claims), /signature verification failed/],
    ['a key that the issuer does not publish', (claims) => sign.byUnknownKey(claims), /key/],
    ['a changed payload', async (claims) => withSubject(await sign.right(claims), 'owner'), /signature/],
    ['no ID token', async () => ({}), /ID Token|id_token/i],
    ['a token that is no JWT', async () => 'no.jwt', /JWT/],
    ['an error', async () => ({ id_token: 7 }), /id_token/],
    ['a subject that is no text', (claims) => sign.right({ ...claims, sub: 7 }), /"sub"/],
    ['a subject with a NUL character', (claims) => sign.right({ ...claims, sub: 'a\0b' }), /not valid/],
  ]

  test.for(ANSWERS)('%s', async ([, next, reason]) => {
    const browser = openBrowser(consoleUrl)
    issuer.next = next
    const before = await opened()
    expect(await browser.comeBack(issuer.answerTo(await browser.start(), redirectUri))).toBe('/login#sso-error=refused')
    const entry = await lastAudit()
    expect(entry).toMatchObject({ action: 'auth.login', outcome: 'refused', actor_id: null })
    expect(entry?.reason).toMatch(/^Single sign-on: /)
    expect(entry?.reason).toMatch(reason)
    expect(await opened()).toBe(before)
  })

  test('the state of another sign-in of the same browser', async () => {
    const browser = openBrowser(consoleUrl)
    const [first, second] = [await browser.start(), await browser.start()]
    const stateOfFirst = new URL(issuer.answerTo(first, redirectUri)).searchParams.get('state') ?? ''
    const answer = new URL(issuer.answerTo(second, redirectUri))
    answer.searchParams.set('state', stateOfFirst)
    expect(await browser.comeBack(answer.href)).toBe('/login#sso-error=refused')
    expect((await lastAudit())?.reason).toMatch(/"nonce"/)
  })

  test.for([
    ['an invented state', '?code=any&state=invented', 'expired'],
    ['no state', '?code=any', 'expired'],
    ['no parameter', '', 'expired'],
  ] as const)('%s', async ([, search, reason]) => {
    const browser = openBrowser(consoleUrl)
    await browser.start()
    expect(await browser.comeBack(redirectUri + search)).toBe(`/login#sso-error=${reason}`)
    expect(await lastAudit()).toMatchObject({ action: 'auth.login', outcome: 'refused' })
  })

  test('an answer that names another issuer (RFC 9207)', async () => {
    issuer.metadata = {}
    const browser = openBrowser(consoleUrl)
    const answer = issuer.answerTo(await browser.start(), redirectUri)
    expect(await browser.comeBack(`${answer}&iss=https%3A%2F%2Fevil.example`)).toBe('/login#sso-error=refused')
    expect((await lastAudit())?.reason).toMatch(/"iss"/)
  })
})

describe('a logout token', () => {
  const url = `${consoleUrl}/api/v1/admin/auth/oidc/backchannel-logout`
  const right = () => ({
    iss: issuer.url,
    aud: CLIENT.clientId,
    sub: 'mallory',
    iat: seconds(),
    exp: seconds() + 60,
    jti: crypto.randomUUID(),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
  const send = async (token: string) =>
    await fetch(url, { method: 'POST', body: new URLSearchParams({ logout_token: token, further: 'ignored' }) })
  const session = async () => {
    const browser = openBrowser(consoleUrl)
    const place = await browser.comeBack(issuer.answerTo(await browser.start(), redirectUri))
    const { access_token } = JSON.parse((await browser.exchange(place)).body)
    return async () =>
      (await fetch(`${consoleUrl}/api/v1/admin/auth/me`, { headers: { authorization: `Bearer ${access_token}` } }))
        .status
  }

  test('ends all sessions of the identity, and a session that is about to begin', async () => {
    const [one, two] = [await session(), await session()]
    const browser = openBrowser(consoleUrl)
    const place = await browser.comeBack(issuer.answerTo(await browser.start(), redirectUri))
    const answer = await send(await sign.right(right()))
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', 'null'])
    expect([await one(), await two(), (await browser.exchange(place)).status]).toEqual([401, 401, 401])
  })

  test('is refused when it was received before', async () => {
    const token = await sign.right(right())
    expect((await send(token)).status).toBe(200)
    const status = await session()
    expect((await send(token)).status).toBe(400)
    expect(await status()).toBe(200)
  })

  const TOKENS: [name: string, token: () => Promise<string>][] = [
    ['with another issuer', () => sign.right({ ...right(), iss: 'https://evil.example' })],
    ['for another audience', () => sign.right({ ...right(), aud: 'another-client' })],
    ['without the event', () => sign.right({ ...right(), events: {} })],
    ['with a nonce, as an ID token has', () => sign.right({ ...right(), nonce: 'any' })],
    ['without a subject and a session', () => sign.right({ ...right(), sub: undefined })],
    ['without an id', () => sign.right({ ...right(), jti: undefined })],
    ['without its time', () => sign.right({ ...right(), iat: undefined })],
    ['that is old', () => sign.right({ ...right(), iat: seconds() - 600 })],
    ['that has expired', () => sign.right({ ...right(), exp: seconds() - 120 })],
    ['signed by another key', () => sign.byOtherKey(right())],
    ['signed by an unknown key', () => sign.byUnknownKey(right())],
    ['signed with the client secret', () => sign.withSecret(right())],
    ['with the algorithm none', () => sign.unsigned(right())],
    ['that is no JWT', async () => 'no JWT'],
  ]
  test.for(TOKENS)('is refused %s', async ([, token]) => {
    const status = await session()
    const answer = await send(await token())
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: 'The logout token is not valid.' }])
    expect(await status()).toBe(200)
  })
})

/** The token with another subject under the same signature. */
function withSubject(token: string, sub: string): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub }
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}
