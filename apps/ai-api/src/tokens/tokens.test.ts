import { scopeRefused, TOKEN_INVALID } from '@switchboard/contract/tokens/scopes'
import { MAKER_WITHOUT_FACTOR } from '@switchboard/contract/second-factors'
import { makeApiKey, makeSecret, makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { describe, expect, test } from 'vitest'
import { PASSWORD, startTestPortal } from '#src/testing/test-portal.ts'
import { withinASecond } from '#src/testing/within-a-second.ts'

const { app, db, tenant, key, makeMember, lastAudited, lastSignIn } = await startTestPortal()
const maker = await makeUser(db)
const newToken = async (fields: Partial<Parameters<typeof makeToken>[1]> = {}) =>
  await makeToken(db, {
    created_by_id: maker.id,
    scopes: ['keys:verify', 'prompts:read', 'users:verify'],
    expires_at: new Date('2027-06-01T00:00:00.000Z'),
    ...fields,
  })
const runtime = await newToken()
const other = await makeTenant(db, { name: 'Pier Nine' })
const MISSING = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'

type Call = { url: string; method?: 'GET' | 'POST'; payload?: object; headers?: Record<string, string> }
const send = async (token: string, { url, method = 'GET', payload, headers }: Call) => {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload && { payload }),
    remoteAddress: '203.0.113.9',
  })
  return { status: answer.statusCode, body: answer.json() }
}
const verify = (api_key: string | undefined, token = runtime.token, origin?: string) =>
  send(token, { method: 'POST', url: '/v1/keys/verify', payload: { api_key, origin } })
const prompt = (query: string, token = runtime.token) => send(token, { url: `/v1/prompts/general${query}` })
const signIn = (body: object, token = runtime.token, url = '/v1/users/verify') =>
  send(token, { method: 'POST', url, payload: { password: PASSWORD, ...body } })

describe('a key check with a service token', () => {
  const named = { tags: ['gold', 'pilot'], custom_fields: { plan: 'Gold' } }

  test('tells the tenant and the key beside the public answer', async () => {
    const owner = await makeTenant(db, {
      name: 'Harbor Books',
      ...named,
      custom_fields: JSON.stringify({ plan: 'Gold' }),
    })
    const checked = await makeApiKey(db, { tenant_id: owner.id, name: 'Shop', environment: 'test' })
    const details = {
      tenant: { id: owner.id, name: 'Harbor Books', status: 'active', ...named },
      key: { id: checked.id, name: 'Shop', environment: 'test', expires_at: null },
    }
    const head = { tenant_id: owner.id, api_key_id: checked.id, environment: 'test', grace_ends_at: null }
    for (let n = 0; n < 2; n += 1)
      expect(await verify(checked.api_key)).toEqual({ status: 200, body: { ...head, ...details } })
    const stranger = await app.inject({
      method: 'POST',
      url: '/v1/keys/verify',
      payload: { api_key: checked.api_key },
      headers: { authorization: 'Bearer the-token-of-another-service' },
    })
    expect(stranger.json()).toEqual(head)
  })

  test('tells changed names and fields within a second', async () => {
    const owner = await makeTenant(db, { name: 'Before' })
    const checked = await makeApiKey(db, { tenant_id: owner.id, name: 'Before' })
    await verify(checked.api_key)
    await db
      .updateTable('tenants')
      .set({ name: 'After', tags: ['late'] })
      .where('id', '=', owner.id)
      .execute()
    await db.updateTable('api_keys').set({ name: 'After' }).where('id', '=', checked.id).execute()
    await withinASecond(async () => {
      const { body } = await verify(checked.api_key)
      expect([body.tenant.name, body.tenant.tags, body.key.name]).toEqual(['After', ['late'], 'After'])
    })
  })

  const past = new Date('2026-01-01T00:00:00.000Z')
  test.for([
    ['disabled', 'active', { is_active: false }],
    ['revoked', 'active', { is_active: false, revoked_at: past }],
    ['expired', 'active', { expires_at: past }],
    ['tenant_inactive', 'inactive', {}],
  ] as const)('tells that a key is %s, and its tenant %s', async ([code, status, fields]) => {
    const owner = await makeTenant(db, { status })
    const refused = await makeApiKey(db, { tenant_id: owner.id, ...fields })
    const { status: answered, body } = await verify(refused.api_key)
    expect([answered, body]).toMatchObject([
      401,
      { detail: 'Invalid API key', code, tenant: { id: owner.id, status }, key: { id: refused.id } },
    ])
    const stranger = await app.inject({
      method: 'POST',
      url: '/v1/keys/verify',
      payload: { api_key: refused.api_key },
    })
    expect(Object.keys(stranger.json())).toEqual(['detail', 'code', 'request_id'])
  })

  test('tells a refused origin and a text that is no key', async () => {
    const checked = await makeApiKey(db, { tenant_id: tenant.id, allowed_origins: ['https://shop.example'] })
    const elsewhere = await verify(checked.api_key, runtime.token, 'https://else.example')
    expect(elsewhere).toMatchObject({ status: 403, body: { code: 'origin_refused', key: { id: checked.id } } })
    for (const [text, code] of [
      [undefined, 'missing'],
      ['nothing', 'malformed'],
      [makeSecret().api_key, 'not_found'],
    ] as const)
      expect((await verify(text)).body).toEqual({ detail: 'Invalid API key', code, request_id: expect.any(String) })
  })
})

describe('a service token reads for the tenant that it names', () => {
  test('the prompt, and 404 for a tenant that does not exist', async () => {
    expect(await prompt(`?tenant_id=${tenant.id.toUpperCase()}`)).toMatchObject({ status: 200, body: { version: 1 } })
    expect((await prompt(`?tenant_id=${MISSING}`)).status).toBe(404)
    expect(await prompt('')).toMatchObject({ status: 400, body: { detail: 'A service token needs `tenant_id`.' } })
  })

  test('a user, and the sign-in of the user', async () => {
    const { id, email } = await makeMember()
    expect(await signIn({ email, tenant_id: tenant.id })).toMatchObject({ status: 200, body: { user: { id } } })
    expect(await lastSignIn()).toMatchObject({ user_id: id, outcome: 'done', address: '203.0.113.9' })
    expect((await signIn({ email, tenant_id: other.id })).status).toBe(401)
    expect((await signIn({ email, tenant_id: MISSING })).status).toBe(404)
    expect((await signIn({ email })).status).toBe(400)
  })

  test('and changes a password, which the audit log explains by the token', async () => {
    const { id, email } = await makeMember()
    const body = { email, tenant_id: tenant.id, new_password: 'kettles under a plum tree' }
    expect((await signIn(body, runtime.token, '/v1/users/password')).status).toBe(200)
    expect(await lastAudited()).toMatchObject({
      target_id: id,
      changes: { service_token_id: { before: null, after: runtime.id } },
    })
  })
})

test('a key needs no tenant_id, and refuses another one', async () => {
  const { email } = await makeMember()
  expect((await prompt('', key.api_key)).status).toBe(200)
  expect((await prompt(`?tenant_id=${tenant.id}`, key.api_key)).status).toBe(200)
  expect((await prompt(`?tenant_id=${other.id}`, key.api_key)).status).toBe(403)
  expect((await signIn({ email, tenant_id: tenant.id }, key.api_key)).status).toBe(200)
  expect((await signIn({ email, tenant_id: other.id }, key.api_key)).status).toBe(403)
})

test('to a token for certain tenants, another tenant is as unknown as one that does not exist', async () => {
  const { token } = await newToken({ tenant_ids: [tenant.id] })
  const foreign = await makeApiKey(db, { tenant_id: other.id })
  expect((await verify(key.api_key, token)).status).toBe(200)
  const unknown = await verify(makeSecret().api_key, token)
  const hidden = await verify(foreign.api_key, token)
  expect({ ...hidden.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  for (const call of [
    (tenantId: string) => prompt(`?tenant_id=${tenantId}`, token),
    (tenantId: string) => signIn({ email: 'jo@example.com', tenant_id: tenantId }, token),
  ]) {
    expect(await call(other.id)).toMatchObject({ status: 404, body: { detail: 'Tenant not found' } })
    expect(await call(other.id)).toEqual(await call(MISSING))
  }
})

describe('a service token is refused', () => {
  const refused = { status: 401, body: { detail: TOKEN_INVALID } }
  const within = async (expected: object, token: string) =>
    await withinASecond(async () => expect(await verify(key.api_key, token)).toMatchObject(expected))

  test('within a second after its revocation', async () => {
    const { id, token } = await newToken()
    expect((await verify(key.api_key, token)).status).toBe(200)
    await db.updateTable('service_tokens').set({ revoked_at: new Date() }).where('id', '=', id).execute()
    await within(refused, token)
  })

  test('within a second after its maker has lost access, or needs a second factor', async () => {
    const leaving = await makeUser(db)
    const { token } = await newToken({ created_by_id: leaving.id })
    expect((await verify(key.api_key, token)).status).toBe(200)
    await db.updateTable('security_settings').set({ second_factor_required: true }).execute()
    await within({ status: 403, body: { detail: MAKER_WITHOUT_FACTOR } }, token)
    await db.updateTable('security_settings').set({ second_factor_required: false }).execute()
    await within({ status: 200 }, token)
    await db.updateTable('users').set({ is_active: false }).where('id', '=', leaving.id).execute()
    await within(refused, token)
  })

  test('after its end, with a typing error, and outside of its networks', async () => {
    const ended = await newToken({ expires_at: new Date('2026-11-20T11:59:59.000Z') })
    const elsewhere = await newToken({ networks: ['198.51.100.0/24'] })
    for (const token of [ended.token, `${runtime.token}0`, 'sb_svc_', elsewhere.token])
      expect(await verify(key.api_key, token)).toMatchObject(refused)
    expect(await lastAudited()).toMatchObject({ action: 'tokens.use', target_id: elsewhere.id, outcome: 'refused' })
  })

  test('without the scope of the call, and where only keys are accepted', async () => {
    const { token } = await newToken({ scopes: ['prompts:read'] })
    const missing = { status: 403, body: { detail: scopeRefused(['keys:verify']) } }
    expect(await verify(key.api_key, token)).toMatchObject(missing)
    expect((await send(runtime.token, { url: '/v1/keys/authorize' })).status).toBe(401)
  })
})

test('the last use of a token is written once a minute', async () => {
  const { id, token } = await newToken()
  const used = async () =>
    await db.selectFrom('service_tokens').select(['last_used_at', 'last_used_address']).where('id', '=', id).execute()
  await verify(key.api_key, token)
  const [first] = await used()
  expect(first).toEqual({ last_used_at: '2026-11-20T12:00:00.000Z', last_used_address: '203.0.113.9' })
  await db.updateTable('service_tokens').set({ last_used_address: null }).where('id', '=', id).execute()
  await verify(key.api_key, token)
  expect(await used()).toEqual([{ ...first, last_used_address: null }])
})
