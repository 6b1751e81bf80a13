import { makeAuditLog } from '@switchboard/testing/audit-log-factory'
import type { AuditRow, ChainCheck } from '@switchboard/contract/activity'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { makeUser, makeManyTenants } from '@switchboard/testing/factories'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { idsOfAllPages, linkOf } from '#src/testing/list-pages.ts'
import { startTestApi } from '#src/testing/test-api.ts'

const ROWS = 900
const url = '/api/v1/admin/audit'

describe('actions of an admin', async () => {
  const api = await startTestApi()
  const ada = await api.signIn('ada@example.com')
  const send = async (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    await ada.call({ method, url: `/api/v1/admin/${path}`, ...(body === undefined ? {} : { body }) })
  const rows = async (query: string): Promise<AuditRow[]> =>
    (await ada.call({ method: 'GET', url: `${url}?limit=200&${query}` })).json()
  const actions = async (query: string) => (await rows(query)).map(({ action, outcome }) => `${action} ${outcome}`)

  const tenant = { name: 'Harbor Dental', subdomain: 'harbor-clinic', tenant_type: 'product' }
  const { id } = (await send('POST', 'tenants', tenant)).json()
  await send('PUT', `tenants/${id}`, { goal: 'book a visit', status: 'inactive' })
  const key = (await send('POST', 'api-keys', { tenant_id: id, name: 'Website' })).json()
  await send('PATCH', `api-keys/${key.id}/toggle`, { is_active: false })
  await send('POST', 'tenants', tenant)
  await send('DELETE', `tenants/${id}`)
  await send('DELETE', `tenants/${id}`)
  await api.call({
    method: 'POST',
    url: '/api/v1/admin/auth/login',
    body: { email: 'Eve@example.com', password: 'a guess' },
  })

  test('are listed newest first, with their target and its tenant', async () => {
    const [last, ...before] = await rows('sort=-at')
    expect(last).toMatchObject({
      action: 'auth.login',
      outcome: 'refused',
      actor_id: null,
      actor_email: 'Eve@example.com',
    })
    expect(before.map(({ action, outcome, target_name }) => [action, outcome, target_name])).toEqual([
      ['tenants.delete', 'refused', 'Harbor Dental'],
      ['tenants.delete', 'done', 'Harbor Dental'],
      ['tenants.create', 'refused', 'Harbor Dental'],
      ['api_keys.toggle', 'done', 'Website'],
      ['api_keys.create', 'done', 'Website'],
      ['tenants.update', 'done', 'Harbor Dental'],
      ['tenants.create', 'done', 'Harbor Dental'],
      ['auth.login', 'done', null],
    ])
    expect(before.find(({ action }) => action === 'api_keys.toggle')).toEqual({
      seq: 5,
      at: api.clock.at.toISOString(),
      actor_id: ada.admin.id,
      actor_name: null,
      actor_email: 'ada@example.com',
      action: 'api_keys.toggle',
      outcome: 'done',
      reason: null,
      target_type: 'api_key',
      target_id: key.id,
      target_name: 'Website',
      tenant_id: id,
      // Deleted by now.
      tenant_name: 'Harbor Dental',
      changed: { is_active: false },
      address: '127.0.0.1',
      request_id: expect.any(String),
    })
  })

  const filters: [string, string[]][] = [
    [`tenant_id=${id}&outcome=refused`, ['tenants.delete refused']],
    [`tenant_id=${id}&target_type=api_key`, ['api_keys.toggle done', 'api_keys.create done']],
    [`target_type=api_key&target_id=${key.id}&action=api_keys.toggle`, ['api_keys.toggle done']],
    ['actor=eve@EXAMPLE.com', ['auth.login refused']],
    [`actor=${ada.admin.id}&action=auth.login`, ['auth.login done']],
    [`actor=${ada.admin.id}&outcome=refused`, ['tenants.delete refused', 'tenants.create refused']],
    ['action=tenants.update&from=2026-11-20&to=2026-11-20', ['tenants.update done']],
    ['action=tenants.update&to=2026-11-19', []],
    ['action=tenants.update&from=2026-11-21', []],
    ['action=no.such', []],
  ]
  test.for(filters)('is found by %s', async ([query, expected]) => {
    expect(await actions(query)).toEqual(expected)
  })

  test('opens with each changed field before and after, without the secret of a key', async () => {
    const [update] = await rows('action=tenants.update')
    const record = (await ada.call({ method: 'GET', url: `${url}/${update?.seq}` })).json()
    expect(record).toMatchObject({
      ...update,
      changes: { goal: { before: '', after: 'book a visit' }, status: { before: 'active', after: 'inactive' } },
    })
    const row = await api.db.selectFrom('audit_log').selectAll().where('seq', '=', record.seq).executeTakeFirstOrThrow()
    expect([record.hash, record.prev_hash]).toEqual([row.hash.toString('hex'), row.prev_hash.toString('hex')])

    const list = await ada.call({ method: 'GET', url })
    expect(list.body).not.toContain(key.api_key)
    const created = (await rows('action=api_keys.create'))[0]
    expect((await ada.call({ method: 'GET', url: `${url}/${created?.seq}` })).body).not.toContain(key.api_key)
  })

  test.for(['0', '1.5', 'x', '-1', '1e400'])('row %s is refused', async (seq) => {
    expect((await ada.call({ method: 'GET', url: `${url}/${seq}` })).statusCode).toBe(422)
  })

  test('an unknown row is a 404', async () => {
    expect((await ada.call({ method: 'GET', url: `${url}/99999` })).json()).toMatchObject({
      detail: 'Audit row not found',
    })
  })

  test.for([
    'from=2026-02-30',
    'from=0000-01-01',
    'to=tomorrow',
    'outcome=maybe',
    'target_type=planet',
    'target_id=1',
    'sort=actor_email',
    `q=${'x'.repeat(201)}`,
    'actor=a&actor=b',
    `action=${'x'.repeat(51)}`,
    'limit=5&cursor=x',
  ])('the query %s is refused', async (query) => {
    expect((await ada.call({ method: 'GET', url: `${url}?${query}` })).statusCode).toBe(422)
  })
})

test.for(['at', '-at'])('the whole log by %s has every row once', async (sort) => {
  const api = await startTestApi()
  const ada = await api.signIn()
  await makeAuditLog(api.db, ROWS)
  const { rows } = await sql<{ seq: number }>`select seq from audit_log order by at, seq`.execute(api.db)
  const inOrder = rows.map(({ seq }) => seq)
  const list: AuditRow[] = (await ada.call({ method: 'GET', url: `${url}?sort=${sort}` })).json()
  expect(list.map(({ seq }) => seq)).toEqual(sort === 'at' ? inOrder : inOrder.toReversed())
})

describe('a long log', async () => {
  const api = await startTestApi()
  const { db } = api
  const ada = await api.signIn()
  const get = async (address: string) => await ada.call({ method: 'GET', url: address })
  await makeManyTenants(db, 40)
  for (let n = 0; n < 5; n += 1) await makeUser(db)
  await makeAuditLog(db, ROWS)
  const some = await db.selectFrom('audit_log').selectAll().where('target_type', '=', 'api_key').execute()
  const one = some[Math.floor(some.length / 2)]

  /** Page by page: reading the whole list at once would add an audit row. */
  async function rowsOfPages(query: string): Promise<AuditRow[]> {
    const rows: AuditRow[] = []
    for (let at: string | undefined = `${url}?limit=200${query}`; at !== undefined;) {
      const page = await get(at)
      rows.push(...page.json())
      at = linkOf(page, 'next')
    }
    return rows
  }

  test.for(['at', '-at'])('pages by %s show every row once, forwards and backwards', async (sort) => {
    const { rows } = await sql<{ seq: number }>`select seq from audit_log order by at, seq`.execute(db)
    const inOrder = rows.map(({ seq }) => seq)
    const expected = sort === 'at' ? inOrder : inOrder.toReversed()
    const { forwards, backwards } = await idsOfAllPages(get, `${url}?limit=200&sort=${sort}`, 'seq')
    expect(forwards).toEqual(expected)
    expect(backwards).toEqual(expected)
  })

  test('every pair of filters returns the rows in both', async () => {
    const day = one?.at.slice(0, 10)
    const narrowed: [string, (row: AuditRow) => boolean][] = [
      [`actor=${one?.actor_id}`, (row) => row.actor_id === one?.actor_id],
      [`action=${one?.action}`, (row) => row.action === one?.action],
      ['target_type=tenant', (row) => row.target_type === 'tenant'],
      [`target_id=${one?.target_id}`, (row) => row.target_id === one?.target_id],
      [`tenant_id=${one?.tenant_id}`, (row) => row.tenant_id === one?.tenant_id],
      ['outcome=refused', (row) => row.outcome === 'refused'],
      [`to=${day}`, (row) => row.at.slice(0, 10) <= String(day)],
    ]
    const all = await rowsOfPages('')
    for (const [query, isLeft] of narrowed)
      for (const [also, isLeftToo] of narrowed) {
        const expected = all.filter((row) => isLeft(row) && isLeftToo(row)).map(({ seq }) => seq)
        const answer = await get(`${url}?limit=200&${query}${also === query ? '' : `&${also}`}`)
        expect([query, also, answer.headers['x-total-count']]).toEqual([query, also, String(expected.length)])
        expect(answer.json().map(({ seq }: AuditRow) => seq)).toEqual(expected.slice(0, 200))
      }
  })

  test('is exported with its filter, changes and hashes, and the export is audited', async () => {
    const query = `target_type=api_key&outcome=done&sort=at`
    const listed = await rowsOfPages(`&${query}`)
    const file = await ada.call({ method: 'POST', url: `${url}/export?${query}` })
    const records = parse<Record<string, string>>(file.rawPayload, { columns: true, bom: true })
    expect(records.map(({ seq }) => Number(seq))).toEqual(listed.map(({ seq }) => seq))
    const { changes, hash } = await db
      .selectFrom('audit_log')
      .select(['changes', 'hash'])
      .where('seq', '=', listed[0]?.seq ?? 0)
      .executeTakeFirstOrThrow()
    expect([JSON.parse(records[0]?.['changes'] ?? ''), records[0]?.['hash']]).toEqual([changes, hash.toString('hex')])
    expect((await get(`${url}?limit=1&action=audit.export`)).json()).toMatchObject([
      { seq: ROWS + 1, outcome: 'done', actor_id: ada.admin.id },
    ])
    await makeAuditLog(db, ROWS)
  })

  const check = async (query = ''): Promise<ChainCheck> => (await get(`${url}/chain${query}`)).json()
  const tamper = async (statement: string) => {
    await sql`alter table audit_log disable trigger user`.execute(db)
    await sql.raw(statement).execute(db)
    await sql`alter table audit_log enable trigger user`.execute(db)
  }

  test('is intact, and its end is returned', async () => {
    const head = await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()
    expect(await check()).toEqual({
      state: 'holds',
      checked: `${ROWS}:${head.hash.toString('hex')}`,
      checked_rows: ROWS,
      rows: ROWS,
      deleted_rows: 0,
      unsealed_entries: 0,
      unsealed_seconds: 0,
      problem: null,
      broken_row: null,
    })
    const actor = { id: null, email: 'eve@example.com', address: null, request_id: null }
    await db
      .transaction()
      .execute((trx) => writeAudit(trx, new Date(Date.now() - 90_000), actor, { action: 'auth.login' }))
    const { unsealed_seconds, ...found } = await check()
    expect(found).toMatchObject({ state: 'holds', rows: ROWS, unsealed_entries: 1 })
    expect(unsealed_seconds).toBeGreaterThanOrEqual(90)
    await makeAuditLog(db, ROWS)
  })

  test('is intact from any row on, and with a noted checkpoint', async () => {
    const end = (await check()).checked
    expect(await check(`?after=${end}&noted=${end}`)).toMatchObject({ state: 'holds' })
    expect(await check(`?noted=${ROWS}:${'ab'.repeat(32)}`)).toMatchObject({
      state: 'broken',
      problem: `Row ${ROWS} differs from the noted row.`,
    })
    expect(await check(`?noted=${ROWS + 1}:${'ab'.repeat(32)}`)).toMatchObject({
      state: 'broken',
      problem: `The log has ${ROWS} rows, but row ${ROWS + 1} was noted: rows were cut off its end.`,
    })
  })

  test.for(['after=x', 'noted=1', `after=1:${'g'.repeat(64)}`, 'other=1'])('the query %s is refused', async (query) => {
    expect((await get(`${url}/chain?${query}`)).statusCode).toBe(422)
  })

  test('is broken when a row was changed past the triggers', async () => {
    await tamper("update audit_log set actor_email = 'eve@example.com' where seq = 700")
    expect(await check()).toMatchObject({
      state: 'broken',
      problem: 'The chain breaks at row 700.',
      broken_row: 700,
      rows: ROWS,
    })
  })

  test('cannot be changed by the role of the servers', async () => {
    await expect(db.updateTable('audit_log').set({ reason: 'x' }).execute()).rejects.toThrow('append-only')
    await expect(db.deleteFrom('audit_log').execute()).rejects.toThrow('append-only')
  })

  test('totals with one and with two filters are exact', async () => {
    await makeAuditLog(db, 9_000)
    const rows: AuditRow[] = (await get(`${url}?target_type=api_key`)).json()
    const total = async (query: string) => (await get(`${url}?limit=1&${query}`)).headers['x-total-count']
    const done = rows.filter(({ outcome }) => outcome === 'done').length
    expect(await total('target_type=api_key')).toBe(String(rows.length))
    expect(await total('target_type=api_key&outcome=done')).toBe(String(done))
    const refused = rows.filter(({ outcome }) => outcome === 'refused').length
    expect(await total('target_type=api_key&outcome=refused')).toBe(String(refused))
  })
})
