import { type EventPage, listEvents } from '@switchboard/contract/signals/events'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { makeToken } from '@switchboard/testing/token-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const api = await startTestApi()
const { db } = api
const ada = await api.signIn()
const get = async (query = '', actor: Pick<typeof ada, 'call'> = ada) => {
  await sealAudit(db)
  return await actor.call({ method: 'GET', url: `${listEvents.url}${query}` })
}
const eventsOf = async (query = ''): Promise<EventPage> => (await get(query)).json()
const create = async (name: string) => {
  const body = { name, subdomain: name.toLowerCase(), tenant_type: 'product' }
  return (await ada.call({ method: 'POST', url: '/api/v1/admin/tenants', body })).json()
}
const suspend = (id: string) =>
  ada.call({
    method: 'PUT',
    url: `/api/v1/admin/tenants/${id}`,
    body: { status: 'inactive', suspension_reason: 'Unpaid' },
  })

test('a change is an event after it, with its actor, its record and its changes', async () => {
  const { end } = await eventsOf()
  const { id } = await create('Bakery')
  await suspend(id)
  const page = await eventsOf(`?after=${end}`)
  expect(page).toMatchObject({ next: page.end, end: end + 2 })
  expect(page.events).toEqual([
    expect.objectContaining({ type: 'tenant.created', seq: end + 1 }),
    {
      id: `evt_${end + 2}_${api.clock.at.getTime().toString(36)}`,
      type: 'tenant.suspended',
      at: api.clock.at.toISOString(),
      seq: end + 2,
      actor: { id: ada.admin.id, name: ada.admin.email },
      target: { type: 'tenant', id, name: 'Bakery' },
      tenant_id: id,
      reason: 'Unpaid',
      changes: {
        status: { before: 'active', after: 'inactive' },
        suspension_reason: { before: null, after: 'Unpaid' },
      },
    },
  ])
  expect(await eventsOf(`?after=${page.next}`)).toEqual({ events: [], next: page.end, end: page.end })
})

test('pages of any size have each event once, in order', async () => {
  const { end: after } = await eventsOf()
  for (const name of ['One', 'Two', 'Three']) await suspend((await create(name)).id)
  const seen: [string, string | null][] = []
  for (let position = after, end = Infinity; position < end;) {
    const page = await eventsOf(`?after=${position}&limit=2`)
    expect(page.events.length).toBeLessThanOrEqual(2)
    seen.push(...page.events.map(({ type, target }): [string, string | null] => [type, target.name]))
    position = page.next
    end = page.end
  }
  expect(seen).toEqual(
    ['One', 'Two', 'Three'].flatMap((name) => [
      ['tenant.created', name],
      ['tenant.suspended', name],
    ]),
  )
})

test('a type filters within its action, and takes several values', async () => {
  const { end: after } = await eventsOf()
  await suspend((await create('Filtered')).id)
  const typesOf = async (type: string) => (await eventsOf(`?after=${after}&type=${type}`)).events.map((one) => one.type)
  expect(await typesOf('tenant.suspended')).toEqual(['tenant.suspended'])
  expect(await typesOf('tenant.updated')).toEqual([])
  expect(await typesOf('tenant.suspended,tenant.created')).toEqual(['tenant.created', 'tenant.suspended'])
  expect((await get('?type=tenant.exploded')).statusCode).toBe(422)
})

test('a page without an event still moves on, and no call reads the whole log', async () => {
  const { end: after } = await eventsOf()
  const actor = { id: null, email: 'task worker', address: null, request_id: null }
  const refusals = Array.from({ length: 3_000 }, () => ({ action: 'tenants.create', outcome: 'refused' as const }))
  for (let round = 0; round < 2; round += 1)
    await db.transaction().execute((trx) => writeAudits(trx, new Date(), actor, refusals))
  await create('Last')
  const first = await eventsOf(`?after=${after}`)
  expect(first).toEqual({ events: [], next: after + 5_000, end: after + 6_001 })
  expect((await eventsOf(`?after=${first.next}`)).events).toMatchObject([{ target: { name: 'Last' } }])
})

test('long and private values are named and left out', async () => {
  const { end: after } = await eventsOf()
  const { id } = await create('Long')
  const change = (goal: string) => ada.call({ method: 'PUT', url: `/api/v1/admin/tenants/${id}`, body: { goal } })
  await change('short')
  await change('long '.repeat(100))
  await ada.call({ method: 'POST', url: `/api/v1/admin/tenants/${id}/notes`, body: { text: 'Pays late.' } })
  const left = { before: null, after: null, is_omitted: true }
  expect((await eventsOf(`?after=${after}`)).events.map(({ type, changes }) => [type, changes])).toEqual([
    ['tenant.created', expect.anything()],
    ['tenant.updated', { goal: { before: '', after: 'short' } }],
    ['tenant.updated', { goal: left }],
    ['tenant_note.created', { note: left }],
  ])
})

test('a position after the end of the log, as after a restore, is refused', async () => {
  const { end } = await eventsOf()
  const answer = await get(`?after=${end + 1}`)
  expect([answer.statusCode, answer.json().detail]).toEqual([
    409,
    `The log ends at ${end}. The database was restored from an older backup: go on from there.`,
  ])
})

test('support, auditors and tokens with the scope read may read events, and others may not', async () => {
  const support = await api.signIn('sue@example.com', 'support')
  const auditor = await api.signIn('al@example.com', 'auditor')
  for (const reader of [support, auditor]) expect((await get('', reader)).statusCode).toBe(200)
  const statusOf = async (scopes: ('read' | 'tenants:write')[]) => {
    const { token } = await makeToken(db, { created_by_id: ada.admin.id, scopes })
    return (await api.call({ method: 'GET', url: listEvents.url, headers: { authorization: `Bearer ${token}` } }))
      .statusCode
  }
  expect([await statusOf(['read']), await statusOf(['tenants:write'])]).toEqual([200, 403])
  expect((await api.call({ method: 'GET', url: listEvents.url })).statusCode).toBe(401)
})
