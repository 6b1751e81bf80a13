import { randomBytes } from 'node:crypto'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { decryptSecret, parseSecretKey, type SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { makeWebhook, WEBHOOK_SECRET } from '@switchboard/testing/webhook-factory'
import { expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const secretKeys: SecretKeys = { current: parseSecretKey(randomBytes(32).toString('base64')), old: [] }
const { db, clock, signIn, doneTo } = await startTestApi({ secretKeys, addressGuard: createAddressGuard([]) })
const url = '/api/v1/admin/webhooks'
const ada = await signIn()

const rowOf = async (id: string) =>
  await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const secretOf = async (id: string) => decryptSecret(secretKeys, id, (await rowOf(id)).secret)?.toString()

test('a new webhook has its secret once, stored encrypted, and begins at the end of the log', async () => {
  await sealAudit(db)
  const { seq } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  const body = { url: 'https://billing.example.com/events', description: 'Billing', event_types: ['tenant.created'] }
  const answer = await ada.call({ method: 'POST', url, body })
  expect(answer.statusCode).toBe(201)
  const { secret, id, ...webhook } = answer.json()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(webhook).toMatchObject({ ...body, format: 'standard', is_active: true, waiting: 0, failing_since: null })
  expect((await rowOf(id)).secret.includes(secret.slice(6))).toBe(false)
  expect(await secretOf(id)).toBe(secret)
  const position = db.selectFrom('webhook_positions').select('seq').where('webhook_id', '=', id)
  expect(await position.executeTakeFirstOrThrow()).toEqual({ seq })
  const list = (await ada.call({ method: 'GET', url })).body
  expect(list).toContain(id)
  expect(list).not.toContain('whsec_')
  const [entry] = await doneTo(id)
  expect(entry).toMatchObject({ action: 'webhooks.create', target_name: 'Billing' })
  expect(JSON.stringify(entry)).not.toContain('whsec_')
})

test('of an address of Slack, lists and the audit log show only the origin', async () => {
  const address = 'https://hooks.slack.example/services/T0/B0/abcdefgh'
  const { id, ...webhook } = (await ada.call({ method: 'POST', url, body: { format: 'slack', url: address } })).json()
  expect(webhook).toMatchObject({ url: 'https://hooks.slack.example', secret: null })
  expect(await secretOf(id)).toBe(address)
  const next = 'https://hooks.slack.example/services/T0/B0/ijklmnop'
  await ada.call({ method: 'PUT', url: `${url}/${id}`, body: { url: next } })
  expect(await secretOf(id)).toBe(next)
  const entries = await doneTo(id)
  expect(entries.at(-1)?.changes).toEqual({ address: SECRET_CHANGE })
  expect(JSON.stringify(entries)).not.toContain('services')
  expect((await ada.call({ method: 'POST', url: `${url}/${id}/secret`, body: {} })).statusCode).toBe(409)
})

test.for([
  'https://127.0.0.1/events',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://[::ffff:10.0.0.1]/',
  'https://[::1]/',
  'https://169.254.169.254/latest/meta-data',
  'http://receiver.example.com/events',
  'ftp://receiver.example.com/',
  'https://user:password@receiver.example.com/',
  'receiver.example.com',
  'https://receiver.example.com:0/',
  `https://receiver.example.com/${'é'.repeat(400)}`,
])('%s is refused', async (address) => {
  const answer = await ada.call({ method: 'POST', url, body: { url: address } })
  expect(answer.statusCode).toBe(422)
  expect(answer.json().detail[0].loc).toEqual(['body', 'url'])
})

test('a description without a visible character names no webhook', async () => {
  const body = { url: 'https://receiver.example.com/', description: '\u200b' }
  const { id } = (await ada.call({ method: 'POST', url, body })).json()
  expect((await doneTo(id))[0]).toMatchObject({ target_name: body.url })
})

test('a rotated secret is followed by the old one for the hours of the overlap', async () => {
  const { id } = await makeWebhook(db)
  const { secret, old_secret_until } = (
    await ada.call({ method: 'POST', url: `${url}/${id}/secret`, body: { overlap_hours: 2 } })
  ).json()
  expect(Date.parse(old_secret_until) - clock.at.getTime()).toBe(2 * 3_600_000)
  expect(await secretOf(id)).toBe(secret)
  expect((await rowOf(id)).old_secret?.toString()).toBe(WEBHOOK_SECRET)
  await ada.call({ method: 'POST', url: `${url}/${id}/secret`, body: { overlap_hours: 0 } })
  expect(await rowOf(id)).toMatchObject({ old_secret: null, old_secret_until: null })
})

test('a webhook that is switched on again is no longer disabled', async () => {
  const at = clock.at
  const disabled = { is_active: false, disabled_reason: 'failing' as const, disabled_at: at, failing_since: at }
  const { id } = await makeWebhook(db, disabled)
  const answer = await ada.call({ method: 'PUT', url: `${url}/${id}`, body: { is_active: true } })
  expect(answer.json()).toMatchObject({ is_active: true, disabled_reason: null, failing_since: null, version: 2 })
  const stale = await ada.call({
    method: 'PUT',
    url: `${url}/${id}`,
    headers: { 'if-match': '"1"' },
    body: { description: 'Late' },
  })
  expect(stale.statusCode).toBe(412)
  expect(stale.json().current.version).toBe(2)
})

test('support and auditors read webhooks and change none', async () => {
  for (const role of ['support', 'auditor'] as const) {
    const reader = await signIn(undefined, role)
    expect((await reader.call({ method: 'GET', url })).statusCode).toBe(200)
    const body = { url: 'https://billing.example.com/events' }
    expect((await reader.call({ method: 'POST', url, body })).statusCode).toBe(403)
  }
})

test('a deleted webhook takes its deliveries with it', async () => {
  const { id } = await makeWebhook(db)
  await db
    .insertInto('webhook_deliveries')
    .values({
      webhook_id: id,
      event_id: 'evt_1',
      event_type: 'tenant.created',
      record_id: id,
      body: '{}',
      at: clock.at,
    })
    .execute()
  expect((await ada.call({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(204)
  expect(await db.selectFrom('webhook_deliveries').where('webhook_id', '=', id).selectAll().execute()).toEqual([])
  expect((await doneTo(id)).map(({ action }) => action)).toEqual(['webhooks.delete'])
})
