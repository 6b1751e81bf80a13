import { TENANTS_NEED_AI_API } from '@switchboard/contract/tokens'
import { SCOPE_PRESETS, scopeRefused } from '@switchboard/contract/tokens/scopes'
import { isWellFormedToken } from '@switchboard/contract/tokens/token-format'
import { makeTenant, makeUser } from '@switchboard/testing/factories'
import { makeToken } from '@switchboard/testing/token-factory'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, startTestApi } from '#src/testing/test-api.ts'
import { lockSuperAdmins } from '#src/users/super-admins.queries.ts'

const api = await startTestApi({ trustProxy: ['127.0.0.1'] })
const { db } = api
const ada = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tokens'
const me = '/api/v1/admin/auth/me'
const ID = '7d3f4c1a-0b52-4a1e-9c38-5e6f7a8b9c0d'

const create = async (body: object = {}, as = ada) =>
  await as.call({ method: 'POST', url, body: { name: crypto.randomUUID(), scopes: SCOPE_PRESETS.support, ...body } })
const list = async () => (await ada.call({ method: 'GET', url })).json()
const listed = async (id: string) => (await list()).find((token: { id: string }) => token.id === id)
const bearer = (token: string, headers = {}) => ({ authorization: `Bearer ${token}`, ...headers })
const ask = async (token: string, headers = {}) =>
  (await api.call({ method: 'GET', url: me, headers: bearer(token, headers) })).statusCode
const addTenant = async (token: string, subdomain: string) =>
  await api.call({
    method: 'POST',
    url: '/api/v1/admin/tenants',
    headers: bearer(token),
    body: { name: 'Harbor', subdomain, tenant_type: 'product' },
  })

// The clock moves on: making and revoking tokens need a recent confirmation.
beforeEach(async () => {
  await ada.call({ method: 'POST', url: '/api/v1/admin/auth/confirm', body: { password: PASSWORD } })
})

test('a new token is shown once and listed without its secret', async () => {
  const answer = await create({ name: 'Billing', expires_in_days: 30, networks: ['203.0.113.7', '2001:db8::/32'] })
  const { token, ...row } = answer.json()
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([201, 'no-store'])
  expect(isWellFormedToken(token)).toBe(true)
  expect(row).toEqual({
    id: expect.any(String),
    name: 'Billing',
    scopes: SCOPE_PRESETS.support,
    status: 'active',
    tenants: [],
    token_start: token.slice(0, 11),
    networks: ['203.0.113.7/32', '2001:db8::/32'],
    created_by_id: ada.admin.id,
    created_by_email: 'ada@example.com',
    created_at: '2026-11-20T12:00:00.000Z',
    expires_at: '2026-12-20T12:00:00.000Z',
    last_used_at: null,
    last_used_address: null,
    revoked_at: null,
  })
  expect(await list()).toContainEqual(row)
  expect(await api.doneTo(row.id)).toMatchObject([
    { action: 'tokens.create', target_type: 'token', target_name: 'Billing', actor_email: 'ada@example.com' },
  ])
})

test.for([
  [{}, '2027-02-18T12:00:00.000Z'],
  [{ expires_in_days: 365 }, '2027-11-20T12:00:00.000Z'],
] as const)('with %j a token expires at %s', async ([body, expires_at]) => {
  expect((await create(body)).json()).toMatchObject({ expires_at })
})

test.for([
  { expires_in_days: 366 },
  { expires_in_days: 0 },
  { scopes: [] },
  { scopes: ['tokens:write'] },
  { scopes: ['keys:verify'], tenant_ids: [ID] },
  { name: ' ' },
  { networks: ['203.0.113.0/33'] },
  { networks: ['example.com'] },
])('%j is refused', async (body) => {
  expect((await create(body)).statusCode).toBe(422)
})

test('two unrevoked tokens never have the same name', async () => {
  const first = (await create({ name: 'Nightly' })).json()
  const again = await create({ name: 'nightly' })
  expect([again.statusCode, again.json().detail]).toEqual([409, 'Another service token has this name.'])
  await ada.call({ method: 'DELETE', url: `${url}/${first.id}` })
  expect((await create({ name: 'nightly' })).statusCode).toBe(201)
})

describe('a token is accepted', () => {
  test('with the role of its scopes, in the name of its maker', async () => {
    const { token } = await makeToken(db, { created_by_id: ada.admin.id, scopes: ['read'] })
    const answer = await api.call({ method: 'GET', url: me, headers: bearer(token) })
    expect(answer.json()).toMatchObject({ id: ada.admin.id, email: 'ada@example.com', role: 'auditor' })
    const refused = await addTenant(token, 'by-an-auditor')
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { detail: scopeRefused(['tenants:write']) }])
  })

  test('and the audit log names the token and its maker', async () => {
    const { id, token } = await makeToken(db, { created_by_id: ada.admin.id, name: 'CI' })
    const { id: tenant } = (await addTenant(token, 'by-a-token')).json()
    expect(await api.doneTo(tenant)).toMatchObject([{ actor_id: id, actor_email: 'token "CI" of ada@example.com' }])
    const ofToken = await ada.call({ method: 'GET', url: `/api/v1/admin/audit?limit=5&actor=${id}` })
    expect(ofToken.json()).toMatchObject([{ action: 'tenants.create', actor_email: 'token "CI" of ada@example.com' }])
  })

  test('and its last use is written once a minute', async () => {
    const { id, token } = await makeToken(db, { created_by_id: ada.admin.id })
    const used = async (address: string) => {
      expect(await ask(token, { 'x-forwarded-for': address })).toBe(200)
      const { last_used_at, last_used_address } = await listed(id)
      return [last_used_at, last_used_address]
    }
    const first = api.clock.at.toISOString()
    expect(await used('203.0.113.1')).toEqual([first, '203.0.113.1'])
    api.clock.at = new Date(api.clock.at.getTime() + 59_000)
    expect(await used('203.0.113.2')).toEqual([first, '203.0.113.1'])
    api.clock.at = new Date(api.clock.at.getTime() + 1_000)
    expect(await used('203.0.113.2')).toEqual([api.clock.at.toISOString(), '203.0.113.2'])
  })
})

describe('a token is refused with 401', () => {
  test('after its end', async () => {
    const { id, token } = await makeToken(db, { created_by_id: ada.admin.id, expires_at: api.clock.at })
    expect([await ask(token), (await listed(id)).status]).toEqual([401, 'expired'])
  })

  test('after its revocation, which is audited once', async () => {
    const { id, token } = await makeToken(db, { created_by_id: ada.admin.id })
    const revoke = async () => (await ada.call({ method: 'DELETE', url: `${url}/${id}` })).statusCode
    expect([await revoke(), await revoke(), await ask(token)]).toEqual([204, 204, 401])
    expect((await listed(id)).status).toBe('revoked')
    expect((await api.doneTo(id)).map(({ action }) => action)).toEqual(['tokens.revoke'])
    expect((await ada.call({ method: 'DELETE', url: `${url}/${ID}` })).statusCode).toBe(404)
  })

  test.for([{ is_active: false }, { role: 'support' as const }])('while its maker has %j', async (change) => {
    const maker = await makeUser(db)
    const { id, token } = await makeToken(db, { created_by_id: maker.id })
    const set = async (fields: object) => await db.updateTable('users').set(fields).where('id', '=', maker.id).execute()
    await set(change)
    expect([await ask(token), (await listed(id)).status]).toEqual([401, 'suspended'])
    await set({ is_active: true, role: 'super_admin' })
    expect([await ask(token), (await listed(id)).status]).toEqual([200, 'active'])
  })

  test('after the deletion of its maker, and stays in the list with the address of the maker', async () => {
    const maker = await makeUser(db)
    const { id, token } = await makeToken(db, { created_by_id: maker.id, created_by_email: 'gone@example.com' })
    await db.deleteFrom('users').where('id', '=', maker.id).execute()
    expect(await ask(token)).toBe(401)
    expect(await listed(id)).toMatchObject({
      status: 'suspended',
      created_by_id: null,
      created_by_email: 'gone@example.com',
    })
  })

  test('outside of its networks, and the first refusal in 15 minutes is audited', async () => {
    const { id, token } = await makeToken(db, { created_by_id: ada.admin.id, networks: ['203.0.113.0/24'] })
    expect(await ask(token, { 'x-forwarded-for': '203.0.113.9' })).toBe(200)
    for (let n = 0; n < 3; n += 1) expect(await ask(token, { 'x-forwarded-for': '198.51.100.1' })).toBe(401)
    expect(await api.refusedTo(id)).toMatchObject([
      {
        action: 'tokens.use',
        reason: 'The address 198.51.100.1 is in none of the networks of the token.',
        address: '198.51.100.1',
      },
    ])
    api.minutesLater(15)
    await ask(token, { 'x-forwarded-for': '198.51.100.1' })
    expect(await api.refusedTo(id)).toHaveLength(2)
  })

  test('when it is unknown or has a typing error', async () => {
    const { token } = await makeToken(db, { created_by_id: ada.admin.id })
    const { token: unknown } = (await create()).json()
    await db.deleteFrom('service_tokens').where('token_start', '=', unknown.slice(0, 11)).execute()
    const answers = [unknown, `${token.slice(0, -1)}!`, token.slice(0, -1)].map((text) => ask(text))
    expect(await Promise.all(answers)).toEqual([401, 401, 401])
  })
})

test('a token for certain tenants shows their names, and opens no call of admin-api', async () => {
  const [tenant, gone] = [await makeTenant(db, { name: 'Harbor Books' }), await makeTenant(db)]
  const tenant_ids = [tenant.id.toUpperCase(), gone.id]
  const refused = await create({ scopes: ['keys:verify', 'read'], tenant_ids })
  expect([refused.statusCode, refused.json().detail[0].msg]).toEqual([422, TENANTS_NEED_AI_API])
  const { id, token } = (await create({ scopes: ['prompts:read', 'keys:verify'], tenant_ids })).json()
  await db.deleteFrom('tenants').where('id', '=', gone.id).execute()
  expect(await listed(id)).toMatchObject({
    scopes: ['keys:verify', 'prompts:read'],
    tenants: [
      { id: tenant.id, name: 'Harbor Books' },
      { id: gone.id, name: null },
    ],
  })
  expect(await ask(token)).toBe(403)
})

test('a bulk call of a token ends with its revocation', async () => {
  const { id, token } = await makeToken(db, { created_by_id: ada.admin.id })
  const tenants = await Promise.all([1, 2].map(() => makeTenant(db)))
  const headers = bearer(token)
  const bulk = async (action: string) =>
    await api.call({
      method: 'POST',
      url: '/api/v1/admin/tenants/bulk',
      headers,
      body: { action, ids: tenants.map((tenant) => tenant.id) },
    })
  expect((await bulk('suspend')).json().results).toHaveLength(2)
  await ada.call({ method: 'DELETE', url: `${url}/${id}` })
  expect((await bulk('reactivate')).statusCode).toBe(401)
})

test('a user is edited by a token, and not by a token whose maker has just been removed', async () => {
  const maker = await makeUser(db)
  const { token } = await makeToken(db, { created_by_id: maker.id })
  const tenant = await makeTenant(db)
  const user = await makeUser(db, { tenant_id: tenant.id, role: 'user' })
  const edit = async (role: string) =>
    await api.call({
      method: 'PATCH',
      url: `/api/v1/admin/tenant-admins/${user.id}`,
      headers: bearer(token),
      body: { role },
    })
  expect((await edit('manager')).statusCode).toBe(200)
  await db.updateTable('users').set({ is_active: false }).where('id', '=', maker.id).execute()
  expect((await edit('user')).statusCode).toBe(401)
})

test('a maker who is demoted while the token is created gets no token', async () => {
  const grace = await api.signIn()
  const creation = await db.transaction().execute(async (trx) => {
    await lockSuperAdmins(trx)
    const pending = create({ name: 'Too late' }, grace)
    const waitingForLock = async () =>
      (
        await sql`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(db)
      ).rows
    await expect.poll(waitingForLock).toHaveLength(1)
    await trx.updateTable('users').set({ role: 'auditor' }).where('id', '=', grace.admin.id).execute()
    return { pending }
  })
  expect((await creation.pending).statusCode).toBe(403)
  expect((await list()).map(({ name }: { name: string }) => name)).not.toContain('Too late')
})

test('there are at most 100 live tokens', async () => {
  await db.updateTable('service_tokens').set({ revoked_at: api.clock.at }).execute()
  for (let n = 0; n < 100; n += 1) await makeToken(db, { created_by_id: ada.admin.id })
  expect((await create()).json()).toMatchObject({ detail: 'There can be 100 service tokens. Revoke one first.' })
})
