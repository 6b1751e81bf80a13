import type { LogSink } from '@switchboard/contract/signals/log-sinks'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { decryptSecret, parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { lockDeletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { makeCertificate } from '@switchboard/testing/certificate'
import { beforeEach, describe, expect, test } from 'vitest'
import { startTestApi } from '#src/testing/test-api.ts'

const secretKeys = { current: parseSecretKey(Buffer.alloc(32, 1).toString('base64')), old: [] }
const api = await startTestApi({ secretKeys, addressGuard: createAddressGuard(['10.0.0.0/8']) })
const { db } = api
const ada = await api.signIn('ada@example.com')
const { cert, key } = makeCertificate()
const FOREIGN = `${cert}\n${makeCertificate().key}`
const BROKEN = ['CERTIFICATE', 'PRIVATE KEY']
  .map((name) => `-----BEGIN ${name}-----\nx\n-----END ${name}-----`)
  .join('\n')
const a = (name: string) => ({ name, value: 'b' })

const url = '/api/v1/admin/log-sinks'
const collector = { kind: 'otlp', name: 'Grafana', address: 'https://collector.example.com/v1/logs' }
const syslog = { kind: 'syslog', name: 'Vault', address: 'logs.example.com:6514' }
const create = (body: object) => ada.call({ method: 'POST', url, body })
const update = (id: string, body: object, headers?: Record<string, string>) =>
  ada.call({ method: 'PUT', url: `${url}/${id}`, body, ...(headers && { headers }) })
const created = async (body: object): Promise<LogSink> => (await create(body)).json()
const shipping = async () => (await ada.call({ method: 'GET', url })).json()
const secretOf = async (id: string) => {
  const { secret } = await db.selectFrom('log_sinks').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
  return secret === null ? null : decryptSecret(secretKeys, id, secret)
}
const lastEntry = async () =>
  await db.selectFrom('audit_entries').selectAll().orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()

beforeEach(() => db.deleteFrom('log_sinks').execute())

test('a collector gets the log from its oldest entry on, and its headers are stored encrypted', async () => {
  const headers = [{ name: 'Authorization', value: 'Bearer 1f0c' }]
  const answer = await create({ ...collector, headers })
  expect(answer.statusCode).toBe(201)
  const sink: LogSink = answer.json()
  expect(sink).toMatchObject({ ...collector, header_names: ['Authorization'], is_on: true, first_seq: 1, position: 0 })
  expect(answer.body).not.toContain('1f0c')
  expect(String(await secretOf(sink.id))).toBe('{"Authorization":"Bearer 1f0c"}')
  expect(await lastEntry()).toMatchObject({
    action: 'log_sinks.create',
    target_type: 'log_sink',
    target_name: 'Grafana',
    changes: { kind: { after: 'otlp' }, header_names: { after: ['Authorization'] } },
  })
  await sealAudit(db)
  const { sinks, end } = await shipping()
  expect(sinks).toMatchObject([{ id: sink.id, entries_behind: end }])
})

test('a sink can begin with the next entry', async () => {
  await sealAudit(db)
  const { end } = await shipping()
  expect(await created({ ...syslog, from: 'now' })).toMatchObject({
    first_seq: end + 1,
    position: end,
    entries_behind: 0,
  })
})

test('a sink of files has a separate key, and there is one such sink', async () => {
  const sink = await created({ kind: 'file', name: 'Files' })
  expect(sink).toMatchObject({ address: null, public_key: expect.stringContaining('-----BEGIN PUBLIC KEY-----') })
  expect((await secretOf(sink.id))?.length).toBe(48)
  const second = await create({ kind: 'file', name: 'More files' })
  expect([second.statusCode, second.json().detail]).toEqual([409, 'There is already a log sink of files.'])
})

describe('an answer of 422', () => {
  test.for([
    ['no address', { ...collector, address: undefined }, 'address', /^Use an address such as https/],
    ['no URL', { ...collector, address: 'collector' }, 'address', /^Use an address such as https/],
    ['a password in it', { ...collector, address: 'https://a:b@c.example.com/' }, 'address', /^Use an address such as/],
    ['no port', { ...syslog, address: 'logs.example.com' }, 'address', /^Use a host and a port/],
    ['plain http', { ...collector, address: 'http://collector.example.com/v1/logs' }, null, null],
    [
      'plain http to a public address',
      { ...collector, address: 'http://8.8.8.8/' },
      'address',
      /^Plain http is allowed/,
    ],
    ['a private address', { ...collector, address: 'https://192.168.1.2/' }, 'address', /not a public address/],
    ['a private address of syslog', { ...syslog, address: '127.0.0.1:6514' }, 'address', /not a public address/],
    ['a private address in decimal', { ...syslog, address: '2130706433:6514' }, 'address', /not a public|Use a host/],
    ['a named network', { ...syslog, address: '10.1.2.3:6514' }, null, null],
    ['headers for syslog', { ...syslog, headers: [] }, 'headers', /^Only a collector/],
    ['a header with a line break', { ...collector, headers: [{ name: 'a', value: 'b\r\nc: d' }] }, 'value', /./],
    ['a certificate without a key', { ...syslog, client_certificate: cert }, 'client_certificate', /private key/],
    ['no certificate', { ...syslog, certificate_authority: 'x' }, 'certificate_authority', /^Paste certificates/],
    ['a repeated header', { ...collector, headers: [a('x'), a('X')] }, 'headers', /^Name each header once/],
    ['a header of the connection', { ...collector, headers: [a('Content-Length')] }, 'name', /sets this header itself/],
    ['a broken authority', { ...syslog, certificate_authority: BROKEN }, 'certificate_authority', /cannot be read/],
    ['a broken pair', { ...syslog, client_certificate: BROKEN }, 'client_certificate', /cannot be read, or do not/],
    ['a foreign key', { ...syslog, client_certificate: FOREIGN }, 'client_certificate', /do not belong together/],
    ['port 0', { ...collector, address: 'https://collector.example.com:0/' }, 'address', /^Use an address such as/],
    ['an address for files', { kind: 'file', name: 'x', address: '/etc' }, 'address', /AUDIT_FILES/],
  ] as const)('%s', async ([, body, field, sentence]) => {
    const answer = await create(body)
    expect(answer.statusCode).toBe(field === null ? 201 : 422)
    if (field === null) return
    const [problem] = answer.json().detail
    expect(problem.loc.at(-1)).toBe(field)
    expect(problem.msg).toMatch(sentence)
  })
})

test('fields left out stay, a new secret is audited without it, and a stale version is refused', async () => {
  const { id } = await created({ ...syslog, client_certificate: `${cert}${key}` })
  const authority = await update(id, { certificate_authority: cert }, { 'if-match': '"1"' })
  expect(authority.json()).toMatchObject({
    ...syslog,
    certificate_authority: cert,
    has_client_certificate: true,
    version: 2,
  })
  const stale = await update(id, { is_on: false }, { 'if-match': '"1"' })
  expect([stale.statusCode, stale.json().changed_by]).toEqual([412, 'ada@example.com'])
  expect((await update(id, { client_certificate: null })).json()).toMatchObject({
    has_client_certificate: false,
    version: 3,
  })
  expect((await lastEntry()).changes).toEqual({ secret: { before: '•••', after: '•••' } })
  expect(await secretOf(id)).toBeNull()
  expect((await update(id, { is_on: false })).json()).toMatchObject({ is_on: false, version: 4 })
  expect((await lastEntry()).changes).toEqual({ is_on: { before: true, after: false } })
  expect((await update(id, { is_on: false })).json()).toMatchObject({ version: 4 })
  expect((await update(id, { address: '127.0.0.1:1' })).statusCode).toBe(422)
})

test('stored headers are sent to no other server', async () => {
  const headers = [{ name: 'Authorization', value: 'Bearer 1f0c' }]
  const { id } = await created({ ...collector, headers })
  expect((await update(id, { address: 'https://collector.example.com/otlp/v1/logs' })).statusCode).toBe(200)
  const address = 'https://other.example.com/v1/logs'
  const refused = await update(id, { address })
  expect([refused.statusCode, refused.json().detail[0].loc.at(-1)]).toEqual([422, 'headers'])
  expect((await update(id, { address, headers: [] })).json()).toMatchObject({ address, header_names: [] })
})

test('a test is asked for, and a deletion is audited', async () => {
  const { id } = await created(collector)
  const tested = await ada.call({ method: 'POST', url: `${url}/${id}/test` })
  expect([tested.statusCode, tested.json()]).toMatchObject([
    202,
    { test_requested_at: expect.any(String), tested_at: null },
  ])
  expect((await ada.call({ method: 'DELETE', url: `${url}/${id}` })).statusCode).toBe(204)
  expect(await lastEntry()).toMatchObject({
    action: 'log_sinks.delete',
    changes: { position: { before: 0, after: null } },
  })
  for (const method of ['PUT', 'DELETE'] as const)
    expect((await ada.call({ method, url: `${url}/${id}`, ...(method === 'PUT' && { body: {} }) })).statusCode).toBe(
      404,
    )
})

test('names are unique, there are five at most, and none is created while a month is deleted', async () => {
  await created(collector)
  expect((await create({ ...syslog, name: 'grafana' })).json().detail).toBe('Another log sink has this name.')
  await db.transaction().execute(async (trx) => {
    await lockDeletedMonths(trx)
    expect((await create(syslog)).json().detail).toBe('A month of the audit log is being deleted. Try again.')
  })
  for (const name of ['b', 'c', 'd', 'e']) expect((await create({ ...syslog, name })).statusCode).toBe(201)
  expect((await create({ ...syslog, name: 'f' })).json().detail).toBe('There can be 5 log sinks. Delete one first.')
})

test('support reads the sinks and changes none', async () => {
  await created(collector)
  const support = await api.signIn('sue@example.com', 'support')
  expect((await support.call({ method: 'GET', url })).json()).toMatchObject({ sinks: [{ name: 'Grafana' }] })
  expect((await support.call({ method: 'POST', url, body: syslog })).statusCode).toBe(403)
})
