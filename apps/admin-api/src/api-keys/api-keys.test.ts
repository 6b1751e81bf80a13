import { createHash } from 'node:crypto'
import type { Tenant } from '@switchboard/contract/tenants'
import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
const NOBODY = '6f6f1b0e-0000-4000-8000-000000000000'

const rowOf = (id: string) => db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const countsOf = async (id: string) => {
  const [tenant]: Tenant[] = (await admin.call({ method: 'GET', url: `/api/v1/admin/tenants?limit=1&id=${id}` })).json()
  return {
    api_key_count: tenant?.api_key_count,
    test_api_key_count: tenant?.test_api_key_count,
    working_api_key_count: tenant?.working_api_key_count,
  }
}
const later = (days: number) => new Date(clock.at.getTime() + days * 86_400_000).toISOString()
const create = (body: object) => admin.call({ method: 'POST', url, body })

describe('generating a key', () => {
  test('answers the record with its secret, and stores only the hash', async () => {
    const tenant = await makeTenant(db, { name: 'Harbor Dental' })
    const answer = await create({
      tenant_id: tenant.id,
      name: '  Website  ',
      description: 'On every page',
      allowed_origins: ['Shop.Example.com', 'https://shop.example.com/', 'https://*.example.org'],
      expires_at: later(90),
    })

    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { api_key, ...key } = answer.json()
    expect(key).toEqual({
      id: expect.any(String),
      tenant_id: tenant.id,
      tenant_name: 'Harbor Dental',
      tenant_subdomain: tenant.subdomain,
      tenant_status: 'active',
      name: 'Website',
      description: 'On every page',
      environment: 'live',
      allowed_origins: ['https://shop.example.com', 'https://*.example.org'],
      is_active: true,
      created_at: clock.at.toISOString(),
      updated_at: expect.any(String),
      last_used_at: null,
      expires_at: later(90),
      key_prefix: 'sb_live_',
      key_start: api_key.slice(8, 12),
      key_last4: api_key.slice(-4),
      rotated_from: null,
      rotated_to: null,
      rotated_at: null,
      grace_ends_at: null,
      original_expires_at: later(90),
      calls_since_rotation: null,
      refused_since_end: null,
      refusals: null,
      revoked_at: null,
      reported_at: null,
      reported_url: null,
      version: 1,
    })
    expect((await rowOf(key.id)).key_hash).toEqual(createHash('sha256').update(api_key).digest())
  })

  test('without a name, description, origins and expiry takes the defaults', async () => {
    const tenant = await makeTenant(db, { name: 'Harbor Dental' })
    const answer = await create({ tenant_id: tenant.id, name: '  ' })
    expect(answer.json()).toMatchObject({
      name: 'API Key for Harbor Dental',
      description: '',
      allowed_origins: [],
      expires_at: null,
    })
  })

  test('for tests marks the secret, the record and the audit log', async () => {
    const tenant = await makeTenant(db)
    const { id, api_key, ...key } = (await create({ tenant_id: tenant.id, environment: 'test' })).json()
    expect(api_key).toMatch(/^sb_test_[0-9A-Za-z]{36}$/)
    expect(key).toMatchObject({ environment: 'test', key_prefix: 'sb_test_' })
    expect(await rowOf(id)).toMatchObject({ environment: 'test', key_prefix: 'sb_test_' })
    expect(await countsOf(tenant.id)).toEqual({ api_key_count: 1, test_api_key_count: 1, working_api_key_count: 1 })
    const row = await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).executeTakeFirstOrThrow()
    expect(row.changes).toMatchObject({ environment: { before: null, after: 'test' } })
  })

  test('refuses an unknown environment, and a key never changes its environment', async () => {
    const { id } = await makeTenant(db)
    expect((await create({ tenant_id: id, environment: 'staging' })).statusCode).toBe(422)
    const key = await makeApiKey(db, { tenant_id: id, environment: 'test' })
    const change = await admin.call({ method: 'PATCH', url: `${url}/${key.id}`, body: { environment: 'live' } })
    expect(change.statusCode).toBe(422)
    expect(await rowOf(key.id)).toMatchObject({ environment: 'test', version: 1 })
  })

  test('leaves no trace of the secret in rows, audit and log', async () => {
    const tenant = await makeTenant(db)
    const secrets: string[] = []
    for (let n = 0; n < 100; n += 1) secrets.push((await create({ tenant_id: tenant.id })).json().api_key)
    const rows = [
      ...(await db.selectFrom('api_keys').selectAll().execute()),
      ...(await db.selectFrom('audit_entries').selectAll().execute()),
    ]
    const stored = JSON.stringify(rows) + api.logLines.join('')
    expect(secrets.filter((secret) => stored.includes(secret.slice(12, -4)))).toEqual([])
    expect(new Set(secrets).size).toBe(100)
  })

  test('is audited with the chosen values', async () => {
    const tenant = await makeTenant(db)
    const { id, key_start } = (await create({ tenant_id: tenant.id, name: 'Audited' })).json()
    const row = await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      action: 'api_keys.create',
      actor_email: 'ada@example.com',
      target_type: 'api_key',
      target_name: 'Audited',
      changes: { tenant_id: { before: null, after: tenant.id }, key_start: { before: null, after: key_start } },
    })
  })

  const refused: [string, object, number, RegExp][] = [
    ['an origin with a path', { allowed_origins: ['https://a.example/x'] }, 422, /Leave off everything/],
    ['any origin as a star', { allowed_origins: ['*'] }, 422, /leave the list empty/],
    ...['co.uk', 's3.amazonaws.com', 'blogspot.com', 'xn--55qx5d.cn', 'compute.amazonaws.com', 'ck'].map(
      (suffix): [string, object, number, RegExp] => [
        `everybody under ${suffix}`,
        { allowed_origins: ['https://shop.example', `https://*.${suffix}`] },
        422,
        new RegExp(`"Anybody can register a name under ${suffix}\\. Name a domain of your own\\."`),
      ],
    ),
    ['too many origins', { allowed_origins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) }, 422, /50/],
    ['a past expiry', { expires_at: '2020-01-01T00:00:00.000Z' }, 400, /in the future/],
    ['a long name', { name: 'x'.repeat(133) }, 422, /132/],
    ['a column of ours', { key_hash: 'x' }, 422, /unknown/],
    ['somebody else’s id', { tenant_id: NOBODY }, 404, /Tenant not found/],
  ]
  test.for(refused)('with %s is refused', async ([, fields, status, sentence]) => {
    const tenant = await makeTenant(db)
    const answer = await create({ tenant_id: tenant.id, ...fields })
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toMatch(sentence)
    expect(await countsOf(tenant.id)).toEqual({ api_key_count: 0, test_api_key_count: 0, working_api_key_count: 0 })
  })

  test('at once by many admins stops at the limit', async () => {
    const tenant = await makeTenant(db)
    await db.updateTable('tenants').set({ api_key_count: 9_998 }).where('id', '=', tenant.id).execute()
    const answers = await Promise.all(Array.from({ length: 6 }, () => create({ tenant_id: tenant.id })))
    expect(answers.filter((one) => one.statusCode === 201)).toHaveLength(2)
    expect(answers.filter((one) => one.statusCode === 409)).toHaveLength(4)
  })
})

describe('the keys of a tenant', () => {
  test('come newest first, without deleted keys and secrets', async () => {
    const tenant = await makeTenant(db)
    const old = await makeApiKey(db, { tenant_id: tenant.id, created_at: new Date('2026-01-01') })
    const young = await makeApiKey(db, { tenant_id: tenant.id, created_at: new Date('2026-02-01') })
    const gone = await makeApiKey(db, { tenant_id: tenant.id })
    await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    await admin.call({ method: 'DELETE', url: `${url}/${gone.id}` })

    const answer = await admin.call({ method: 'GET', url: `${url}/${tenant.id}` })
    expect(answer.json().map(({ id }: { id: string }) => id)).toEqual([young.id, old.id])
    expect(answer.body).not.toMatch(/hash|secret|"api_key"/)
  })

  test('of an unknown tenant are 404, of a tenant without keys an empty list', async () => {
    expect((await admin.call({ method: 'GET', url: `${url}/${NOBODY}` })).statusCode).toBe(404)
    expect((await admin.call({ method: 'GET', url: `${url}/${(await makeTenant(db)).id}` })).json()).toEqual([])
  })
})

describe('the toggle', () => {
  const toggle = (id: string, body?: object) => admin.call({ method: 'PATCH', url: `${url}/${id}/toggle`, body })

  test('without a body toggles, with a body sets the given state, and is audited once', async () => {
    const key = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id })
    expect((await toggle(key.id)).json()).toMatchObject({ is_active: false, version: 2, expires_at: null })
    expect((await toggle(key.id, { is_active: false })).json()).toMatchObject({ is_active: false, version: 2 })
    expect((await toggle(key.id, { is_active: true })).json()).toMatchObject({ is_active: true, version: 3 })
    const audited = await db
      .selectFrom('audit_entries')
      .select('changes')
      .where('target_id', '=', key.id)
      .orderBy('seq')
      .execute()
    expect(audited).toEqual([
      { changes: { is_active: { before: true, after: false } } },
      { changes: { is_active: { before: false, after: true } } },
    ])
  })

  test('does not restore a revoked key, and finds no deleted key', async () => {
    const tenant_id = (await makeTenant(db)).id
    const revoked = await makeApiKey(db, { tenant_id, is_active: false, revoked_at: clock.at })
    const answer = await toggle(revoked.id, { is_active: true })
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'key_revoked'])
    await admin.call({ method: 'DELETE', url: `${url}/${revoked.id}` })
    expect((await toggle(revoked.id, { is_active: true })).statusCode).toBe(404)
  })
})

test('deleting moves the key away, and is 404 the second time', async () => {
  const key = await makeApiKey(db, { tenant_id: (await makeTenant(db)).id, name: 'Old site' })
  expect((await admin.call({ method: 'DELETE', url: `${url}/${key.id}` })).statusCode).toBe(204)
  expect(await db.selectFrom('api_keys').select('id').where('id', '=', key.id).execute()).toEqual([])
  expect((await admin.call({ method: 'DELETE', url: `${url}/${key.id}` })).statusCode).toBe(404)
})

test("a tenant's counts follow every change of its keys", async () => {
  const { id } = await makeTenant(db)
  const counts = async () => {
    const { api_key_count, working_api_key_count } = await countsOf(id)
    return [api_key_count, working_api_key_count]
  }
  const [one, two] = [await makeApiKey(db, { tenant_id: id }), await makeApiKey(db, { tenant_id: id })]
  expect(await counts()).toEqual([2, 2])
  await admin.call({ method: 'PATCH', url: `${url}/${one.id}/toggle`, body: { is_active: false } })
  expect(await counts()).toEqual([2, 1])
  await admin.call({ method: 'DELETE', url: `${url}/${two.id}` })
  expect(await counts()).toEqual([1, 0])
  await db.deleteFrom('api_keys').where('tenant_id', '=', id).execute()
  expect(await counts()).toEqual([0, 0])
})

test('deleting a tenant deletes its keys, and the audit row has their number', async () => {
  const tenant = await makeTenant(db)
  const key = await makeApiKey(db, { tenant_id: tenant.id })
  await admin.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${tenant.id}` })
  expect(await db.selectFrom('api_keys').select('id').where('id', '=', key.id).execute()).toEqual([])
  const { changes } = await db
    .selectFrom('audit_entries')
    .select('changes')
    .where('target_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  expect(changes).toMatchObject({ api_key_count: { before: 1, after: null } })
})

test('toggling keys while their tenant is deleted never ends in a deadlock', async () => {
  for (let round = 0; round < 10; round += 1) {
    const tenant = await makeTenant(db)
    const keys = [await makeApiKey(db, { tenant_id: tenant.id }), await makeApiKey(db, { tenant_id: tenant.id })]
    const answers = await Promise.all([
      ...keys.map(({ id }) => admin.call({ method: 'PATCH', url: `${url}/${id}/toggle` })),
      admin.call({ method: 'DELETE', url: `/api/v1/admin/tenants/${tenant.id}` }),
    ])
    expect(answers.map(({ statusCode }) => statusCode).filter((status) => ![200, 204, 404].includes(status))).toEqual(
      [],
    )
  }
})
