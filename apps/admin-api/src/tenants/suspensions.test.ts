import type { UpdateTenantBody } from '@switchboard/contract/tenants'
import { makeTenant } from '@switchboard/testing/factories'
import { describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const admin = await api.signIn('ada@example.com')
const url = '/api/v1/admin/tenants'

const NOW = '2026-11-20T12:00:00.000Z'
const END = '2026-11-30T12:00:00.000Z'
const SUSPENDED = { status: 'inactive', suspension_reason: 'Unpaid invoice', suspended_until: END } as const
const NONE = { suspension_reason: null, suspended_at: null, suspended_until: null }

const put = (id: string, body: UpdateTenantBody, headers: Record<string, string> = {}) =>
  admin.call({ method: 'PUT', url: `${url}/${id}`, body, headers })
const rowOf = (id: string) =>
  db
    .selectFrom('tenants')
    .select(['status', 'suspension_reason', 'suspended_at', 'suspended_until', 'version'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const auditOf = (id: string) =>
  db.selectFrom('audit_entries').select(['outcome', 'changes']).where('target_id', '=', id).orderBy('seq').execute()
/** A tenant that an admin suspended until `END`. */
const suspendedTenant = async () => {
  const { id } = await makeTenant(db)
  expect((await put(id, SUSPENDED)).statusCode).toBe(200)
  return id
}

describe('a suspension', () => {
  test('has a reason and an end, begins now, and is audited with both', async () => {
    const { id } = await makeTenant(db)
    const answer = await put(id, SUSPENDED, { 'if-match': '"1"' })
    const row = { ...SUSPENDED, suspended_at: NOW, version: 2 }
    expect([answer.statusCode, answer.json()]).toMatchObject([200, row])
    expect(await rowOf(id)).toEqual(row)
    expect(await auditOf(id)).toEqual([
      {
        outcome: 'done',
        changes: {
          status: { before: 'active', after: 'inactive' },
          suspension_reason: { before: null, after: 'Unpaid invoice' },
          suspended_until: { before: null, after: END },
        },
      },
    ])
  })

  test('needs neither a reason nor an end', async () => {
    const { id } = await makeTenant(db)
    await put(id, { status: 'inactive' })
    expect(await rowOf(id)).toEqual({ ...NONE, status: 'inactive', suspended_at: NOW, version: 2 })
  })

  test('keeps its beginning when the reason or the end changes, and what a change leaves out', async () => {
    const id = await suspendedTenant()
    api.minutesLater(60)
    await put(id, { suspended_until: '2026-12-24T18:00:00Z' })
    await put(id, { suspension_reason: '  Paid in part ' })
    await put(id, { goal: 'sell' })
    api.minutesLater(-60)
    expect(await rowOf(id)).toEqual({
      status: 'inactive',
      suspension_reason: 'Paid in part',
      suspended_at: NOW,
      suspended_until: '2026-12-24T18:00:00.000Z',
      version: 5,
    })
    expect((await auditOf(id)).map(({ changes }) => Object.keys(changes).toSorted())).toEqual([
      ['status', 'suspended_until', 'suspension_reason'],
      ['suspended_until'],
      ['suspension_reason'],
      ['goal'],
    ])
  })

  test('loses its reason and its end by null', async () => {
    const id = await suspendedTenant()
    await put(id, { suspension_reason: null, suspended_until: null })
    expect(await rowOf(id)).toEqual({ ...NONE, status: 'inactive', suspended_at: NOW, version: 3 })
  })

  test('sent again with the same moment in another form changes nothing', async () => {
    const id = await suspendedTenant()
    await put(id, { ...SUSPENDED, suspended_until: '2026-11-30T12:00:00Z' })
    expect((await rowOf(id)).version).toBe(2)
    expect(await auditOf(id)).toHaveLength(1)
  })

  test('that has ended can be sent again unchanged before the worker reactivates the tenant', async () => {
    const id = await suspendedTenant()
    await db
      .updateTable('tenants')
      .set({ suspended_until: new Date(NOW) })
      .where('id', '=', id)
      .execute()
    expect((await put(id, { ...SUSPENDED, suspended_until: NOW, goal: 'sell' })).statusCode).toBe(200)
    expect(await rowOf(id)).toMatchObject({ status: 'inactive', suspended_until: NOW })
  })

  test('with a stale version is refused', async () => {
    const { id } = await makeTenant(db)
    await put(id, { goal: 'sell' })
    const answer = await put(id, SUSPENDED, { 'if-match': '"1"' })
    expect([answer.statusCode, answer.json().current.status]).toEqual([412, 'active'])
  })
})

describe('an activation', () => {
  test('clears the suspension, and the audit entry has its reason and end', async () => {
    const id = await suspendedTenant()
    const answer = await put(id, { status: 'active' })
    expect(answer.json()).toMatchObject({ ...NONE, status: 'active' })
    expect(await rowOf(id)).toEqual({ ...NONE, status: 'active', version: 3 })
    expect((await auditOf(id)).at(-1)?.changes).toEqual({
      status: { before: 'inactive', after: 'active' },
      suspension_reason: { before: 'Unpaid invoice', after: null },
      suspended_until: { before: END, after: null },
    })
  })

  test('of many tenants clears their suspensions', async () => {
    const ids = [await suspendedTenant(), await suspendedTenant()]
    const answer = await admin.call({ method: 'POST', url: `${url}/bulk`, body: { action: 'reactivate', ids } })
    expect(answer.statusCode).toBe(200)
    for (const id of ids) expect(await rowOf(id)).toEqual({ ...NONE, status: 'active', version: 3 })
  })

  test('can name the cleared fields', async () => {
    const id = await suspendedTenant()
    await put(id, { status: 'active', suspension_reason: null, suspended_until: null })
    expect(await rowOf(id)).toMatchObject({ ...NONE, status: 'active' })
  })
})

const refused: [string, 'active' | 'inactive', UpdateTenantBody, string][] = [
  ['a reason of an active tenant', 'active', { suspension_reason: 'Unpaid' }, 'suspension_reason'],
  ['an end of an active tenant', 'active', { suspended_until: END }, 'suspended_until'],
  ['a reason with an activation', 'inactive', { status: 'active', suspension_reason: 'Paid' }, 'suspension_reason'],
  ['an end in the past', 'active', { status: 'inactive', suspended_until: NOW }, 'suspended_until'],
  ['a new end in the past', 'inactive', { suspended_until: '2026-11-20T11:59:59.999Z' }, 'suspended_until'],
  ['a day without a time', 'inactive', { suspended_until: '2026-11-30' }, 'suspended_until'],
  ['a blank reason', 'inactive', { suspension_reason: '   ' }, 'suspension_reason'],
  ['a long reason', 'inactive', { suspension_reason: 'x'.repeat(201) }, 'suspension_reason'],
]
test.for(refused)('%s is refused and changes nothing', async ([, status, body, field]) => {
  const id = status === 'active' ? (await makeTenant(db)).id : await suspendedTenant()
  const before = await rowOf(id)
  const answer = await put(id, body)
  expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', field]])
  expect(await rowOf(id)).toEqual(before)
})

test('the list and its file have the suspension', async () => {
  const id = await suspendedTenant()
  const fields = { ...SUSPENDED, suspended_at: NOW }
  const query = `id=${id}`
  expect((await admin.call({ method: 'GET', url: `${url}?${query}` })).json()).toMatchObject([fields])
  const file = await admin.call({ method: 'POST', url: `${url}/export?${query}` })
  expect(file.payload).toContain(`,Unpaid invoice,${NOW},${END},\r\n`)
})
