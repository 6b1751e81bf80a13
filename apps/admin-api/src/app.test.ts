import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, app, clock } = api
const good = await api.signIn()

const AUTH = '/api/v1/admin/auth'
const isPublic = new Set([
  '/healthz',
  '/readyz',
  '/.well-known/security.txt',
  `${AUTH}/login`,
  `${AUTH}/challenge`,
  `${AUTH}/passkey`,
  `${AUTH}/oidc/start`,
  `${AUTH}/oidc/callback`,
  `${AUTH}/oidc/session`,
  `${AUTH}/oidc/backchannel-logout`,
  `${AUTH}/links/check-password`,
  `${AUTH}/email-changes/read`,
  `${AUTH}/email-changes/confirm`,
  `${AUTH}/invitations/read`,
  `${AUTH}/invitations/accept`,
  `${AUTH}/forgotten-password`,
  `${AUTH}/reset-password`,
])
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const guarded = app.routeTable
  .filter(({ url }) => !isPublic.has(url))
  .flatMap(({ method, url }) =>
    METHODS.filter((one) => [method].flat().includes(one)).map((one) => ({ method: one, url })),
  )

/** A session of a user who must not sign in, inserted past the API. */
async function tokenOf(
  fields: Parameters<typeof makeUser>[1],
  session: { expires_at?: Date; last_seen_at?: Date } = {},
) {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const admin = await makeUser(db, fields)
  await db
    .insertInto('sessions')
    .values({
      user_id: admin.id,
      token_hash: accessTokenHash(token),
      created_at: clock.at,
      last_seen_at: session.last_seen_at ?? clock.at,
      expires_at: session.expires_at ?? new Date(clock.at.getTime() + 3_600_000),
    })
    .execute()
  return token
}
const tenant = await makeTenant(db)
const strangers: [string, string | undefined][] = [
  ['nobody', undefined],
  ['an empty token', 'Bearer '],
  ['a made-up token', `Bearer ${'x'.repeat(43)}`],
  ['a token cut short', `Bearer ${good.token.slice(0, -1)}`],
  ['a token of another scheme', `Basic ${good.token}`],
  ['a user', `Bearer ${await tokenOf({ role: 'user', tenant_id: tenant.id })}`],
  ['a manager', `Bearer ${await tokenOf({ role: 'manager', tenant_id: tenant.id })}`],
  ['a tenant admin', `Bearer ${await tokenOf({ role: 'admin', tenant_id: tenant.id })}`],
  ['an inactive super admin', `Bearer ${await tokenOf({ is_active: false })}`],
  ['an expired session', `Bearer ${await tokenOf({}, { expires_at: new Date(clock.at.getTime() - 1) })}`],
  [
    'an idle session',
    `Bearer ${await tokenOf({}, { last_seen_at: new Date(clock.at.getTime() - 2 * 3_600_000 - 1) })}`,
  ],
]

describe.for(strangers)('%s', ([, authorization]) => {
  test.for(guarded)('is refused at $method $url before anything is read', async ({ method, url }) => {
    const answer = await app.inject({
      method,
      url: url.replace(':id', tenant.id),
      headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
      payload: '{"broken json',
    })
    expect(answer.statusCode).toBe(401)
    if (method !== 'HEAD') expect(answer.json()).toMatchObject({ detail: 'Not authenticated' })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })
})

test('the public routes are exactly the intended ones', () => {
  expect(guarded.length).toBeGreaterThan(5)
  const marked = app.routeTable.filter((route) => route.config?.public === true)
  expect(new Set(marked.map(({ url }) => url))).toEqual(isPublic)
})

test('security.txt names the contact and an expiry within a year', async () => {
  const { headers, body } = await app.inject('/.well-known/security.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const [contact, expires = ''] = body.split('\n')
  expect(contact).toBe('Contact: mailto:security@switchboard.example')
  const days = (Date.parse(expires.replace('Expires: ', '')) - clock.at.getTime()) / 86_400_000
  expect([days > 30, days < 365]).toEqual([true, true])
})

test('/readyz says 503 until the first super admin exists', async () => {
  const fresh = await startTestApi()
  const readiness = async () => (await fresh.app.inject('/readyz')).statusCode
  expect(await readiness()).toBe(503)
  await makeUser(fresh.db)
  expect(await readiness()).toBe(200)
})

test('the log names the caller by id, without a token', async () => {
  await good.call({ method: 'GET', url: '/api/v1/admin/auth/me' })
  const log = api.logLines.join('')
  expect(log).not.toContain(good.token)
  expect(log).toContain(`"admin_id":"${good.admin.id}"`)
})
