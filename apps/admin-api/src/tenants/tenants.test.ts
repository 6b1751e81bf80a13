import { makeUser, makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenants'

describe('creating a tenant', () => {
  test('stores trimmed and normalized values, and answers the record', async () => {
    const answer = await admin.call({
      method: 'POST',
      url,
      body: { name: '  Harbor Dental ', subdomain: ' Harbor  Dental', tenant_type: 'service' },
    })

    expect(answer.statusCode).toBe(201)
    const row = await db.selectFrom('tenants').selectAll().where('id', '=', answer.json().id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      name: 'Harbor Dental',
      subdomain: 'harbor-dental',
      tenant_type: 'service',
      status: 'active',
      goal: '',
      aggressiveness: 5,
      admin_count: 0,
      version: 1,
    })
    const { search_text: _text, active_admin_count: _count, ...visible } = row
    expect(answer.json()).toEqual({ ...visible, test_api_key_count: 0, working_api_key_count: 0, deleted_at: null })
  })

  test('is audited in the same transaction, with actor and changes', async () => {
    const { id } = (
      await admin.call({ method: 'POST', url, body: { name: 'Audited', subdomain: 'audited', tenant_type: 'product' } })
    ).json()

    const row = await db.selectFrom('audit_entries').selectAll().where('target_id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      action: 'tenants.create',
      outcome: 'done',
      actor_email: 'ada@example.com',
      target_name: 'Audited',
      address: '127.0.0.1',
      changes: {
        name: { before: null, after: 'Audited' },
        subdomain: { before: null, after: 'audited' },
        tenant_type: { before: null, after: 'product' },
      },
    })
  })

  test('with a taken subdomain is refused with a sentence, stores nothing and is audited as refused', async () => {
    await makeTenant(db, { subdomain: 'taken' })
    const answer = await admin.call({
      method: 'POST',
      url,
      body: { name: 'Second', subdomain: 'TAKEN', tenant_type: 'product' },
    })

    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ detail: 'This subdomain is already taken.' })
    expect(await db.selectFrom('tenants').select('id').where('name', '=', 'Second').execute()).toEqual([])
    const audited = await db
      .selectFrom('audit_entries')
      .select(['action', 'reason'])
      .where('outcome', '=', 'refused')
      .execute()
    expect(audited).toContainEqual({ action: 'tenants.create', reason: 'This subdomain is already taken.' })
  })

  test('sent twice at once creates one tenant', async () => {
    const body = { name: 'Twice', subdomain: 'twice', tenant_type: 'product' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.call({ method: 'POST', url, body })))

    expect(answers.filter((one) => one.statusCode === 201)).toHaveLength(1)
    expect(answers.filter((one) => one.statusCode === 409)).toHaveLength(7)
    expect(await db.selectFrom('tenants').select('id').where('subdomain', '=', 'twice').execute()).toHaveLength(1)
  })

  const refused: [string, object, string][] = [
    ['a blank name', { name: '   ' }, 'name'],
    ['a long name', { name: 'x'.repeat(121) }, 'name'],
    ['a reserved subdomain', { subdomain: 'www' }, 'subdomain'],
    ['a subdomain that looks like punycode', { subdomain: 'xn--abc' }, 'subdomain'],
    ['an unknown type', { tenant_type: 'charity' }, 'tenant_type'],
    ['a list for a name', { name: ['a'] }, 'name'],
  ]
  test.for(refused)('with %s names the field', async ([, fields, field]) => {
    const body = { name: 'Fine', subdomain: 'fine-one', tenant_type: 'product', ...fields }
    const answer = await admin.call({ method: 'POST', url, body })

    expect(answer.statusCode).toBe(422)
    expect(answer.json().detail[0].loc).toEqual(['body', field])
  })

  test('takes every field that a change takes', async () => {
    const body = {
      name: 'Whole',
      subdomain: 'whole',
      tenant_type: 'service',
      goal: 'Sell tea',
      aggressiveness: 7.5,
      tags: ['pilot', 'tier-1'],
      custom_fields: { plan: 'Gold' },
      external_id: ' cus_1 ',
      status: 'inactive',
      suspension_reason: 'No contract yet',
      suspended_until: '2030-01-01T00:00:00.000Z',
    }
    const answer = await admin.call({ method: 'POST', url, body })
    const stored = { ...body, external_id: 'cus_1' }
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { ...stored, suspended_at: api.clock.at.toISOString(), version: 1 },
    ])
    const entries = await db.selectFrom('audit_entries').selectAll().where('target_id', '=', answer.json().id).execute()
    const changes = Object.fromEntries(Object.entries(stored).map(([field, after]) => [field, { before: null, after }]))
    expect(entries).toMatchObject([{ action: 'tenants.create', reason: 'No contract yet', changes }])
  })

  test('refuses a suspension of an active tenant', async () => {
    const body = { name: 'Active', subdomain: 'active-one', tenant_type: 'product', suspension_reason: 'Unpaid' }
    const answer = await admin.call({ method: 'POST', url, body })
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'suspension_reason']])
  })

  test('refuses every column outside the contract', async () => {
    for (const field of ['id', 'admin_count', 'version', 'created_at', 'updated_at', 'search_text', 'suspended_at']) {
      const body = { name: 'Mass', subdomain: 'mass-assigned', tenant_type: 'product', [field]: 'x' }
      expect((await admin.call({ method: 'POST', url, body })).statusCode).toBe(422)
    }
    expect(await db.selectFrom('tenants').select('id').where('subdomain', '=', 'mass-assigned').execute()).toEqual([])
  })
})

describe('the external id', () => {
  const create = (subdomain: string, external_id: string | null) =>
    admin.call({ method: 'POST', url, body: { name: 'External', subdomain, tenant_type: 'product', external_id } })
  const put = (id: string, external_id: string | null) =>
    admin.call({ method: 'PUT', url: `${url}/${id}`, body: { external_id } })
  const found = async (query: string): Promise<string[]> =>
    (await admin.call({ method: 'GET', url: `${url}?limit=9&${query}` })).json().map(({ id }: { id: string }) => id)

  test('finds its tenant, exactly as a filter and in part as a search', async () => {
    const { id } = (await create('external-one', 'Cus_External:1')).json()
    expect(await found('external_id=Cus_External:1')).toEqual([id])
    for (const other of ['cus_external:1', 'Cus_External', 'unknown', ''])
      expect(await found(`external_id=${other}`)).toEqual([])
    expect(await found('q=us_external')).toEqual([id])
  })

  test('names one tenant only, and a deleted tenant frees it', async () => {
    const { id } = (await create('external-two', 'cus_2')).json()
    const refused = await create('external-three', 'cus_2')
    expect([refused.statusCode, refused.json().detail]).toEqual([409, 'Another tenant has this external ID.'])
    const other = (await create('external-three', null)).json()
    expect((await put(other.id, 'cus_2')).statusCode).toBe(409)
    await admin.call({ method: 'DELETE', url: `${url}/${id}` })
    expect((await put(other.id, 'cus_2')).json()).toMatchObject({ external_id: 'cus_2', version: 2 })
    const restored = await admin.call({ method: 'POST', url: `${url}/${id}/restore` })
    expect([restored.statusCode, restored.json().detail]).toEqual([409, 'Another tenant has this external ID.'])
    expect((await put(other.id, null)).json()).toMatchObject({ external_id: null })
    expect((await admin.call({ method: 'POST', url: `${url}/${id}/restore` })).json()).toMatchObject({
      external_id: 'cus_2',
    })
  })

  test('has 1 to 255 characters', async () => {
    for (const external_id of ['', ' ', 'x'.repeat(256), 'a\nb'])
      expect((await create('external-four', external_id)).statusCode).toBe(422)
    expect((await create('external-four', 'x'.repeat(255))).statusCode).toBe(201)
  })
})

test('one tenant is read with its version as ETag, which a change takes as If-Match', async () => {
  const { id } = await makeTenant(db, { name: 'Read Alone' })
  const get = (one: string) => admin.call({ method: 'GET', url: `${url}/${one}` })
  const put = (etag: string) =>
    admin.call({ method: 'PUT', url: `${url}/${id}`, body: { goal: 'sell' }, headers: { 'if-match': etag } })
  const answer = await get(id)
  const [listed] = (await admin.call({ method: 'GET', url: `${url}?limit=1&id=${id}` })).json()

  expect([answer.statusCode, answer.json()]).toEqual([200, listed])
  expect((await put(String(answer.headers.etag))).statusCode).toBe(200)
  expect((await put(String(answer.headers.etag))).statusCode).toBe(412)
  expect((await get(id)).headers.etag).toBe('"2"')
  const unknown = await get(crypto.randomUUID())
  expect([unknown.statusCode, unknown.json()]).toMatchObject([404, { detail: 'Tenant not found' }])
  expect((await get('1')).statusCode).toBe(422)
})

describe('changing a tenant', () => {
  test('writes the named fields, raises the version and audits before and after', async () => {
    const { id } = await makeTenant(db, { goal: 'sell' })
    const answer = await admin.call({
      method: 'PUT',
      url: `${url}/${id}`,
      body: { goal: 'book', aggressiveness: 6.1 },
      headers: { 'if-match': '"1"' },
    })

    expect(answer.statusCode).toBe(200)
    expect(answer.headers.etag).toBe('"2"')
    expect(answer.json()).toMatchObject({ goal: 'book', aggressiveness: 6.1, version: 2 })
    const { changes } = await db
      .selectFrom('audit_entries')
      .select('changes')
      .where('target_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(changes).toEqual({ goal: { before: 'sell', after: 'book' }, aggressiveness: { before: 5, after: 6.1 } })
  })

  test('without a difference keeps version and audit log', async () => {
    const tenant = await makeTenant(db)
    const answer = await admin.call({ method: 'PUT', url: `${url}/${tenant.id}`, body: { name: tenant.name } })

    expect(answer.json().version).toBe(1)
    expect(await db.selectFrom('audit_entries').select('seq').where('target_id', '=', tenant.id).execute()).toEqual([])
  })

  test('with a stale version is refused with the current record and its editor', async () => {
    const { id } = await makeTenant(db, { name: 'Contested' })
    const second = await api.signIn('grace@example.com')
    await second.call({
      method: 'PUT',
      url: `${url}/${id}`,
      body: { name: 'By Grace' },
      headers: { 'if-match': '"1"' },
    })
    const answer = await admin.call({
      method: 'PUT',
      url: `${url}/${id}`,
      body: { name: 'By Ada' },
      headers: { 'if-match': '"1"' },
    })

    expect(answer.statusCode).toBe(412)
    expect(answer.json()).toMatchObject({
      changed_by: 'grace@example.com',
      changed_at: api.clock.at.toISOString(),
      current: { name: 'By Grace', version: 2 },
    })
    expect(await db.selectFrom('tenants').select('name').where('id', '=', id).executeTakeFirst()).toEqual({
      name: 'By Grace',
    })
  })

  test('by ten admins at once with one version succeeds once', async () => {
    const { id } = await makeTenant(db)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        admin.call({ method: 'PUT', url: `${url}/${id}`, body: { goal: `goal ${n}` }, headers: { 'if-match': '"1"' } }),
      ),
    )
    expect(answers.filter((one) => one.statusCode === 200)).toHaveLength(1)
    expect(answers.filter((one) => one.statusCode === 412)).toHaveLength(9)
  })

  test.for([5.05, 10.1, -0.1, 1e9, '5', null])('refuses %s as aggressiveness', async (aggressiveness) => {
    const { id } = await makeTenant(db)
    expect((await admin.call({ method: 'PUT', url: `${url}/${id}`, body: { aggressiveness } })).statusCode).toBe(422)
  })

  test('never changes the subdomain', async () => {
    const { id, subdomain } = await makeTenant(db)
    expect((await admin.call({ method: 'PUT', url: `${url}/${id}`, body: { subdomain: 'other' } })).statusCode).toBe(
      422,
    )
    expect(await db.selectFrom('tenants').select('subdomain').where('id', '=', id).executeTakeFirst()).toEqual({
      subdomain,
    })
  })

  test('of an unknown tenant is 404', async () => {
    const answer = await admin.call({
      method: 'PUT',
      url: `${url}/6f6f1b0e-0000-4000-8000-000000000000`,
      body: { name: 'x' },
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { detail: 'Tenant not found' }])
  })

  test.for(['../../etc/passwd', "1' or '1'='1", 'x'.repeat(1_000), '%00', '42'])(
    'with the id %s is refused',
    async (id) => {
      const answer = await admin.call({ method: 'PUT', url: `${url}/${encodeURIComponent(id)}`, body: { name: 'x' } })
      expect([404, 422]).toContain(answer.statusCode)
    },
  )
})

describe('deleting a tenant', () => {
  test('deletes its users and their sessions, and no audit entries or other tenants', async () => {
    const deleted = await makeTenant(db, { name: 'Deleted' })
    const remaining = await makeTenant(db)
    await makeUser(db, { tenant_id: deleted.id, role: 'admin' })
    const other = await makeUser(db, { tenant_id: remaining.id, role: 'admin' })

    expect((await admin.call({ method: 'DELETE', url: `${url}/${deleted.id}` })).statusCode).toBe(204)
    expect(await db.selectFrom('tenants').select('id').where('id', '=', deleted.id).execute()).toEqual([])
    expect(await db.selectFrom('users').select('id').where('tenant_id', 'is not', null).execute()).toEqual([
      { id: other.id },
    ])
    const audited = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('target_id', '=', deleted.id)
      .executeTakeFirstOrThrow()
    expect(audited).toMatchObject({
      action: 'tenants.delete',
      target_name: 'Deleted',
      changes: { admin_count: { before: 1, after: null } },
    })
  })

  test('twice is 404 the second time, and the audit row names the tenant', async () => {
    const { id } = await makeTenant(db)
    await admin.call({ method: 'DELETE', url: `${url}/${id}` })
    expect((await admin.call({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(404)
    const rows = await db
      .selectFrom('audit_entries')
      .select(['outcome', 'reason', 'target_type'])
      .where('target_id', '=', id)
      .orderBy('seq')
      .execute()
    expect(rows).toEqual([
      { outcome: 'done', reason: null, target_type: 'tenant' },
      { outcome: 'refused', reason: 'Tenant not found', target_type: 'tenant' },
    ])
  })
})

test('admin_count follows every change of the admins', async () => {
  const [one, two] = [await makeTenant(db), await makeTenant(db)]
  const counts = async () => {
    const rows = await db
      .selectFrom('tenants')
      .select(['id', 'admin_count'])
      .where('id', 'in', [one.id, two.id])
      .execute()
    return [one, two].map(({ id }) => rows.find((row) => row.id === id)?.admin_count)
  }
  const [first] = [
    await makeUser(db, { tenant_id: one.id, role: 'user' }),
    await makeUser(db, { tenant_id: one.id, role: 'user' }),
  ]
  expect(await counts()).toEqual([2, 0])
  await db.updateTable('users').set({ tenant_id: two.id }).where('id', '=', first.id).execute()
  expect(await counts()).toEqual([1, 1])
  await db.deleteFrom('users').where('tenant_id', 'in', [one.id, two.id]).execute()
  expect(await counts()).toEqual([0, 0])
})
