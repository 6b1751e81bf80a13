import { makeDelivery, makeWebhook } from '@switchboard/testing/webhook-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const { db, signIn, doneTo } = await startTestApi()
const url = '/api/v1/admin/webhooks'
const log = '/api/v1/admin/webhook-deliveries'
const ada = await signIn()

const rowOf = async (id: string) =>
  await db.selectFrom('webhook_deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const idsOf = async (query: string) => {
  const answer = await ada.call({ method: 'GET', url: `${log}?${query}` })
  return answer.json().map(({ id }: { id: string }) => id)
}

test('the log of deliveries filters by webhook, state, type and day, newest first', async () => {
  const { id: webhook_id } = await makeWebhook(db)
  const { id: other } = await makeWebhook(db)
  const failed = await makeDelivery(db, { webhook_id })
  const later = { at: new Date('2026-11-21T12:00:00.000Z'), event_type: 'tenant.deleted' }
  const delivered = await makeDelivery(db, { webhook_id, seq: 2, state: 'delivered', ...later })
  await makeDelivery(db, { webhook_id: other })
  const of = `webhook_id=${webhook_id}&limit=10`
  expect(await idsOf(of)).toEqual([delivered.id, failed.id])
  expect(await idsOf(`${of}&state=failed,retrying`)).toEqual([failed.id])
  expect(await idsOf(`${of}&event_type=tenant.deleted`)).toEqual([delivered.id])
  expect(await idsOf(`${of}&to=2026-11-20`)).toEqual([failed.id])
  expect(await idsOf(`${of}&from=2026-11-21`)).toEqual([delivered.id])
})

test('a delivery has its request without the signature, the answer and its attempts', async () => {
  const { id: webhook_id } = await makeWebhook(db)
  const { id } = await makeDelivery(db, { webhook_id })
  const record = (await ada.call({ method: 'GET', url: `${log}/${id}` })).json()
  expect(record).toMatchObject({
    request_headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1795176000' },
    body: '{"id":"evt_1"}',
    answer: 'Out of order',
    history: [{ status: 500, duration_ms: 12 }],
  })
  expect(JSON.stringify(record)).not.toContain('webhook-signature')
})

test('a replayed delivery waits for a worker, also before its next attempt', async () => {
  const { id: webhook_id } = await makeWebhook(db, { description: 'Billing' })
  const { id } = await makeDelivery(db, { webhook_id })
  const replay = { method: 'POST' as const, url: `${log}/${id}/replay` }
  expect((await ada.call(replay)).json()).toMatchObject({ id, state: 'waiting', attempts: 1 })
  expect(await rowOf(id)).toMatchObject({ ended_at: null, job_id: null, began_at: null })
  const later = {
    state: 'retrying' as const,
    job_id: webhook_id,
    next_attempt_at: new Date('2030-01-01T00:00:00.000Z'),
  }
  await db.updateTable('webhook_deliveries').set(later).where('id', '=', id).execute()
  await ada.call(replay)
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', job_id: null, next_attempt_at: null })
  expect(await doneTo(webhook_id)).toMatchObject(
    [1, 2].map(() => ({ action: 'webhook_deliveries.replay', target_name: 'Billing' })),
  )
})

test('a replay since a time takes the failed deliveries, or all', async () => {
  const { id: webhook_id } = await makeWebhook(db)
  const at = (day: number) => new Date(`2026-11-${day}T12:00:00.000Z`)
  const before = await makeDelivery(db, { webhook_id, at: at(19) })
  const failed = await makeDelivery(db, { webhook_id, seq: 2, at: at(20) })
  const delivered = await makeDelivery(db, { webhook_id, seq: 3, at: at(21), state: 'delivered' })
  const states = async () =>
    await Promise.all([before, failed, delivered].map(async ({ id }) => (await rowOf(id)).state))
  const replay = async (body: object) =>
    (await ada.call({ method: 'POST', url: `${url}/${webhook_id}/replay`, body })).json()
  const since = at(20).toISOString()
  expect(await replay({ since })).toEqual({ replayed: 1 })
  expect(await states()).toEqual(['failed', 'waiting', 'delivered'])
  expect(await replay({ since, delivered: true })).toEqual({ replayed: 1 })
  expect(await states()).toEqual(['failed', 'waiting', 'waiting'])
  expect((await doneTo(webhook_id)).at(-1)?.changes).toEqual({
    since: { before: null, after: since },
    replayed: { before: null, after: 1 },
  })
})

test('a test is a delivery of a test event, also while the webhook is off', async () => {
  const { id: webhook_id } = await makeWebhook(db, { is_active: false })
  const answer = await ada.call({ method: 'POST', url: `${url}/${webhook_id}/test` })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toMatchObject({ event_type: 'webhook.test', state: 'waiting', attempts: 0 })
  const { body, seq } = await rowOf(answer.json().id)
  expect(seq).toBeNull()
  expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', actor: { name: ada.admin.email } })
})

test('support reads deliveries, and neither tests nor replays', async () => {
  const { id: webhook_id } = await makeWebhook(db)
  const { id } = await makeDelivery(db, { webhook_id })
  const reader = await signIn(undefined, 'support')
  expect((await reader.call({ method: 'GET', url: `${log}/${id}` })).statusCode).toBe(200)
  for (const path of [`${log}/${id}/replay`, `${url}/${webhook_id}/test`])
    expect((await reader.call({ method: 'POST', url: path })).statusCode).toBe(403)
})
