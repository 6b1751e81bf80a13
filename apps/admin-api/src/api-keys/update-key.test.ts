import { makeApiKey, makeTenant } from '@switchboard/testing/factories'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db, clock } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/api-keys'
const { id: tenant_id } = await makeTenant(db)
const inDays = (days: number) => new Date(clock.at.getTime() + days * 86_400_000)

const update = (id: string, body: object, version?: number) =>
  admin.call({
    method: 'PATCH',
    url: `${url}/${id}`,
    body,
    ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
  })
const rowOf = (id: string) => db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('changes the named fields, raises the version and audits before and after, but keeps the secret', async () => {
  const key = await makeApiKey(db, { tenant_id, name: 'Shop', allowed_origins: ['https://old.example'] })
  const body = {
    name: '  Storefront ',
    description: 'The new shop',
    allowed_origins: ['New.Example', 'https://new.example/', 'https://*.shop.example'],
    expires_at: inDays(30).toISOString(),
  }
  const answer = await update(key.id, body, 1)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['etag']).toBe('"2"')
  const changed = {
    name: 'Storefront',
    description: 'The new shop',
    allowed_origins: ['https://new.example', 'https://*.shop.example'],
    expires_at: inDays(30).toISOString(),
  }
  expect(answer.json()).toMatchObject({ ...changed, version: 2, original_expires_at: changed.expires_at })
  expect(await rowOf(key.id)).toMatchObject({ ...changed, key_hash: key.key_hash, is_active: true })
  const [entry, ...others] = await api.doneTo(key.id)
  expect(others).toEqual([])
  expect(entry).toMatchObject({ action: 'api_keys.update', target_name: 'Storefront', tenant_id })
  expect(entry?.changes).toEqual({
    name: { before: 'Shop', after: 'Storefront' },
    description: { before: '', after: 'The new shop' },
    allowed_origins: { before: ['https://old.example'], after: changed.allowed_origins },
    expires_at: { before: null, after: changed.expires_at },
  })
})

test('one key is read with its version as ETag, which a change takes as If-Match', async () => {
  const key = await makeApiKey(db, { tenant_id, name: 'Read Alone', allowed_origins: ['https://alone.example'] })
  const get = (id: string) => admin.call({ method: 'GET', url: `${url}/${id}/record` })
  const answer = await get(key.id)
  expect([answer.statusCode, answer.headers['etag']]).toEqual([200, '"1"'])
  expect(answer.json()).toMatchObject({ id: key.id, tenant_id, name: 'Read Alone', version: 1 })
  expect(answer.body).not.toContain(key.key_hash)

  const changed = await update(key.id, { description: 'Seen' }, answer.json().version)
  expect([changed.statusCode, (await get(key.id)).json()]).toEqual([200, changed.json()])
  expect((await get(key.id)).headers['etag']).toBe('"2"')
  await admin.call({ method: 'DELETE', url: `${url}/${key.id}` })
  for (const gone of [key.id, crypto.randomUUID()]) {
    const refused = await get(gone)
    expect([refused.statusCode, refused.json()]).toMatchObject([404, { detail: 'API key not found' }])
  }
  expect((await get('1')).statusCode).toBe(422)
})

test('without a difference keeps version and audit log, also for an expired key', async () => {
  const expires_at = new Date('2026-01-01T00:00:00.000Z')
  const key = await makeApiKey(db, { tenant_id, name: 'Same', allowed_origins: ['https://a.example'], expires_at })
  const same = {
    name: 'Same',
    description: '',
    allowed_origins: ['https://a.example'],
    expires_at: '2026-01-01T00:00:00Z',
  }
  for (const body of [{}, same]) {
    const answer = await update(key.id, body, 1)
    expect([answer.statusCode, answer.json().version]).toEqual([200, 1])
  }
  expect((await update(key.id, { ...same, name: 'Other' })).json()).toMatchObject({ name: 'Other', version: 2 })
  expect(await api.doneTo(key.id)).toHaveLength(1)
})

test('an expiry can be taken back, and a rotation keeps the new lifetime', async () => {
  const key = await makeApiKey(db, { tenant_id, created_at: clock.at, expires_at: inDays(10) })
  expect((await update(key.id, { expires_at: null })).json()).toMatchObject({ expires_at: null })
  expect((await update(key.id, { expires_at: inDays(20).toISOString() })).statusCode).toBe(200)
  const body = { grace_seconds: 900 }
  const successor = await admin.call({ method: 'POST', url: `${url}/${key.id}/rotate`, body })
  expect(successor.json().expires_at).toBe(inDays(20).toISOString())
})

test('with a stale version is refused with the current key and its editor', async () => {
  const key = await makeApiKey(db, { tenant_id, name: 'One' })
  await update(key.id, { name: 'Two' }, 1)
  const answer = await update(key.id, { name: 'Three' }, 1)
  expect(answer.statusCode).toBe(412)
  expect(answer.json()).toMatchObject({
    detail: 'Another admin has changed this key since you opened it.',
    current: { id: key.id, name: 'Two', version: 2 },
    changed_by: 'ada@example.com',
  })
})

test('sent by ten admins at once with one version succeeds once', async () => {
  const key = await makeApiKey(db, { tenant_id })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => update(key.id, { name: `Name ${n}` }, 1)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 412)).toHaveLength(9)
  expect(await api.doneTo(key.id)).toHaveLength(1)
})

test('does not change a revoked key, the expiry of a rotated key or a deleted key', async () => {
  const revoked = await makeApiKey(db, { tenant_id, is_active: false, revoked_at: clock.at })
  const refused = await update(revoked.id, { name: 'Other' })
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'key_revoked'])
  expect(refused.json().detail).toBe('This key is revoked and cannot be changed.')

  const old = await makeApiKey(db, { tenant_id })
  const rotation = { grace_seconds: 900 }
  const successor = (await admin.call({ method: 'POST', url: `${url}/${old.id}/rotate`, body: rotation })).json()
  const late = await update(old.id, { expires_at: null })
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({
    code: 'already_rotated',
    successor_id: successor.id,
    detail: 'This key has been rotated. It ends with its grace period.',
  })
  expect((await update(old.id, { allowed_origins: ['https://a.example'] })).statusCode).toBe(200)

  await admin.call({ method: 'DELETE', url: `${url}/${old.id}` })
  expect((await update(old.id, { name: 'Other' })).statusCode).toBe(404)
})

test.for([
  ['a past expiry', { expires_at: '2020-01-01T00:00:00.000Z' }, 400, /in the future/],
  ['a public suffix', { allowed_origins: ['https://*.co.uk'] }, 422, /Anybody can register a name under co\.uk/],
  ['any origin as a star', { allowed_origins: ['*'] }, 422, /leave the list empty/],
  ['a blank name', { name: '  ' }, 422, /Key name is required/],
  ['a long name', { name: 'x'.repeat(133) }, 422, /132/],
  ['a character that cannot be stored', { name: 'a\u0000b' }, 422, /./],
  ['no name', { name: null }, 422, /name/],
  ['a column outside the contract', { key_hash: 'x' }, 422, /unknown/],
  ['another tenant', { tenant_id: crypto.randomUUID() }, 422, /unknown/],
  ['the toggle', { is_active: false }, 422, /unknown/],
] as const)('with %s is refused', async ([, body, status, sentence]) => {
  const key = await makeApiKey(db, { tenant_id })
  const answer = await update(key.id, body)
  expect(answer.statusCode).toBe(status)
  expect(answer.body).toMatch(sentence)
  expect((await rowOf(key.id)).version).toBe(1)
})

test.for(['3', '"x"', 'W/"1"', '*'])('an If-Match of %s is refused', async (header) => {
  const key = await makeApiKey(db, { tenant_id })
  const answer = await admin.call({
    method: 'PATCH',
    url: `${url}/${key.id}`,
    body: { name: 'Other' },
    headers: { 'if-match': header },
  })
  expect(answer.statusCode).toBe(422)
})
