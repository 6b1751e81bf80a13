import { execFileSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readAuditFile, signatureOf } from '@switchboard/database/audit/audit-file'
import { auditEnd } from '@switchboard/database/audit/audit-chain'
import { checkAuditFiles } from '@switchboard/database/audit/audit-files'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { logSink } from '@switchboard/database/audit/log-sinks.queries'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { encryptSecret, parseSecretKey } from '@switchboard/database/stored-secrets/encryption'
import { createAddressGuard } from '@switchboard/server/outbound/address-guard'
import { createLogger } from '@switchboard/server/process/log'
import { type LogReceiver, startCollector, startSyslogServer } from '@switchboard/testing/log-receivers'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { startReceiver } from '@switchboard/testing/receiver'
import { createTestDatabase } from '@switchboard/testing/test-database'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest'
import { shipBatch, shipLogs, type ShippingDeps } from './ship-logs.service.ts'

const { db, drop } = await createTestDatabase(inject('postgresUrl'))
const collector = await startCollector()
const syslog = await startSyslogServer()
const folder = await mkdtemp(path.join(tmpdir(), 'audit-files-'))
afterAll(async () => {
  await Promise.all([collector.close(), syslog.close()])
  await drop()
  await rm(folder, { recursive: true })
})
const key = parseSecretKey(Buffer.alloc(32, 1).toString('base64'))
const deps: ShippingDeps = {
  db,
  sinkDb: db,
  log: createLogger('silent'),
  guard: createAddressGuard(['127.0.0.0/8']),
  proxies: { httpProxy: '', httpsProxy: '', noProxy: '' },
  secretKeys: { current: null, old: [] },
  auditFiles: folder,
  random: () => 0,
  firstRetryMs: 1,
}
const actor = { id: null, email: 'ada@example.com', address: '::1', request_id: null }
const WAIT = { timeout: 60_000, interval: 20 }

async function write(entries: number, at = new Date()): Promise<void> {
  const goal = 'two\nlines \u2028 "quotes" \u{1f600}'
  const entry = (n: number) => ({ action: 'tenants.update', changes: { goal: { before: n, after: goal } } })
  await db.transaction().execute((trx) =>
    writeAudits(
      trx,
      at,
      actor,
      Array.from({ length: entries }, (_, n) => entry(n)),
    ),
  )
  await sealAudit(db)
}

/** Runs a statement as a malicious owner of the database. */
async function tamper(statement: string): Promise<void> {
  await sql`alter table audit_log disable trigger user`.execute(db)
  await sql.raw(statement).execute(db)
  await sql`alter table audit_log enable trigger user`.execute(db)
}

const ofCollector = () => makeLogSink(db, { kind: 'otlp', address: collector.address })
const ofSyslog = () =>
  makeLogSink(db, { kind: 'syslog', address: syslog.address, certificate_authority: syslog.certificate })
const ship = async (id: string, given: Partial<ShippingDeps> = {}) => {
  while (await shipBatch({ ...deps, ...given }, id)) continue
  return await logSink(db, id)
}
const seqsOf = (receiver: LogReceiver) =>
  receiver.received.flatMap(({ record: { seq } }) => (seq === undefined ? [] : [seq]))
const hashesOfLog = async () =>
  (await db.selectFrom('audit_log').select(['seq', 'hash']).orderBy('seq').execute()).map(({ seq, hash }) => [
    seq,
    hash.toString('hex'),
  ])

beforeEach(async () => {
  await tamper("delete from audit_log; update audit_head set seq = 0, hash = decode(repeat('00', 32), 'hex')")
  await db.deleteFrom('log_sinks').execute()
  for (const file of await readdir(folder)) await rm(path.join(folder, file))
  for (const receiver of [collector, syslog]) {
    receiver.received = []
    receiver.fails = () => false
    receiver.answers = () => null
    receiver.isStuck = false
  }
})

test.for([
  ['a collector', collector, ofCollector],
  ['a syslog server', syslog, ofSyslog],
] as const)('%s gets every entry once and in order, and daily the end of the chain', async ([, receiver, makeSink]) => {
  await write(2_500)
  const { id } = await makeSink()
  expect(await ship(id)).toMatchObject({ position: 2_500, entries_behind: 0, seconds_behind: 0, problem: null })
  expect(receiver.received.slice(0, -1).map(({ record: { seq, hash } }) => [seq, hash])).toEqual(await hashesOfLog())
  const end = await auditEnd(db)
  expect(receiver.received.at(-1)?.record).toMatchObject({ chain_end: `${end.seq}:${end.hash}` })
  expect(receiver.received[7]?.record).toMatchObject({
    seq: 8,
    action: 'tenants.update',
    actor_email: 'ada@example.com',
    changes: { goal: { before: 7, after: 'two\nlines \u2028 "quotes" \u{1f600}' } },
  })
  await write(1)
  await ship(id)
  expect(seqsOf(receiver)).toHaveLength(2_501)
  await sql`update log_sinks set end_sent_at = now() - interval '25 hours'`.execute(db)
  await ship(id)
  expect(receiver.received.at(-1)?.record).toMatchObject({ chain_end: expect.stringMatching(/^2501:/) })
})

test('two workers and receivers that fail half the time: every entry arrives, none with another content, in order', async () => {
  const sinks = [await ofCollector(), await ofSyslog()]
  for (const receiver of [collector, syslog]) receiver.fails = () => Math.random() < 0.5
  const workers = [shipLogs(deps), shipLogs(deps)]
  onTestFinished(async () => void (await Promise.all(workers.map((worker) => worker.stop()))))
  for (let n = 0; n < 8; n += 1) {
    await write(150)
    await sql`update log_sinks set next_attempt_at = null`.execute(db)
    await vi.waitFor(async () => expect((await logSink(db, sinks[n % 2]?.id ?? ''))?.position).toBeGreaterThan(0), WAIT)
  }
  for (const { id } of sinks)
    await vi.waitFor(async () => expect(await logSink(db, id)).toMatchObject({ position: 1_200, problem: null }), WAIT)
  for (const receiver of [collector, syslog]) {
    const first = [...new Map(receiver.received.map(({ text, record: { seq } }) => [seq ?? text, text]))]
    const texts = Map.groupBy(receiver.received, ({ record: { seq } }) => seq)
    texts.delete(undefined)
    expect([...texts.keys()]).toEqual(Array.from({ length: 1_200 }, (_, n) => n + 1))
    expect([...texts.values()].filter((all) => new Set(all.map(({ text }) => text)).size > 1)).toEqual([])
    expect(first.length).toBeGreaterThanOrEqual(1_200)
  }
})

test('a sink that never confirms keeps its position and delays no other', async () => {
  await write(3)
  const [slow, fast] = [await ofSyslog(), await ofCollector()]
  syslog.isStuck = true
  const worker = shipLogs(deps)
  onTestFinished(() => worker.stop())
  await vi.waitFor(async () => expect(await logSink(db, fast.id)).toMatchObject({ position: 3 }), WAIT)
  expect(await logSink(db, slow.id)).toMatchObject({ position: 0 })
  await vi.waitFor(
    async () => expect(await logSink(db, slow.id)).toMatchObject({ problem: 'The server did not answer in time.' }),
    WAIT,
  )
  syslog.isStuck = false
  await vi.waitFor(async () => expect(await logSink(db, slow.id)).toMatchObject({ position: 3, problem: null }), WAIT)
})

test('failures are told with their reason and repeated later and later', async () => {
  await write(1)
  const { id } = await ofCollector()
  collector.fails = () => true
  const failed = await ship(id, { firstRetryMs: 60_000 })
  expect(failed).toMatchObject({ position: 0, problem: expect.stringMatching(/^The (collector|server) /) })
  expect(Date.parse(failed?.next_attempt_at ?? '')).toBeGreaterThan(Date.parse(failed?.failing_since ?? '') + 59_000)
  // Not before its time.
  expect(await ship(id)).toMatchObject({ problem: failed?.problem })
  const again = async () => {
    await sql`update log_sinks set next_attempt_at = null`.execute(db)
    return (await ship(id, { firstRetryMs: 60_000 }))?.problem
  }
  expect(new Set([failed?.problem, await again(), await again()])).toEqual(
    new Set([
      'The collector answered 503: busy.',
      'The collector refused the record: too old. It does not take entry 1, so nothing after it is sent.',
      'The server closed the connection before it had answered.',
    ]),
  )
  const { attempts } = await db.selectFrom('log_sinks').select('attempts').executeTakeFirstOrThrow()
  expect(attempts).toBe(3)
})

test.for([
  [429, '900', 900],
  [503, 'in one hour', 3_600],
  [503, '999999', 6 * 3_600],
  [429, '0', 300],
  // Only an overloaded collector chooses the delay.
  [500, '900', 300],
] as const)(
  'after %s with Retry-After %s a collector is asked again %s seconds later',
  async ([status, asked, seconds]) => {
    await write(1)
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const header = () => (asked === 'in one hour' ? new Date(Date.now() + 3_600_000).toUTCString() : asked)
    receiver.answer = () => ({ status, headers: { 'retry-after': header() } })
    const { id } = await makeLogSink(db, { kind: 'otlp', address: receiver.url })
    const failed = await ship(id, { firstRetryMs: 300_000 })
    const delay = (Date.parse(failed?.next_attempt_at ?? '') - Date.parse(failed?.failing_since ?? '')) / 1_000
    // A date is exact to the second, and counts from before the attempt.
    expect(delay).toBeGreaterThan(seconds - 1.5)
    expect(delay).toBeLessThan(seconds + 60)
    receiver.answer = () => ({ status: 204 })
    expect(await ship(id)).toMatchObject({ position: 0 })
    await sql`update log_sinks set next_attempt_at = null`.execute(db)
    expect(await ship(id)).toMatchObject({ position: 1, problem: null })
  },
)

test.for([
  ['otlp', 'http://10.1.2.3/v1/logs', '10.1.2.3 is not a public address, and not in WEBHOOK_NETWORKS.'],
  ['otlp', 'http://localhost/v1/logs', 'Nothing answers at this address.'],
  ['syslog', '10.1.2.3:6514', '10.1.2.3 is not a public address, and not in WEBHOOK_NETWORKS.'],
  ['syslog', '127.0.0.1:1', 'Nothing answers at this address.'],
] as const)('%s at %s: %s', async ([kind, address, problem]) => {
  await write(1)
  const { id } = await makeLogSink(db, { kind, address })
  expect(await ship(id, { guard: createAddressGuard(['127.0.0.0/8', '::1/128']) })).toMatchObject({ problem })
})

test.for([
  ['400', { status: 400, body: 'bad record' }, 'The collector answered 400: bad record.'],
  ['413', { status: 413 }, 'The collector answered 413.'],
  [
    'a partial success',
    { status: 200, body: '{"partialSuccess":{"rejectedLogRecords":1,"errorMessage":"too old"}}' },
    'The collector refused the record: too old.',
  ],
] as const)('an entry that a collector answers with %s stops the sink right before it', async ([, answer, problem]) => {
  await write(1_000)
  const { id } = await ofCollector()
  collector.answers = (records) => (records.some(({ record: { seq } }) => seq === 701) ? answer : null)
  expect(await ship(id)).toMatchObject({
    position: 700,
    problem: `${problem} It does not take entry 701, so nothing after it is sent.`,
  })
  expect(Math.max(...seqsOf(collector).map(Number))).toBe(700)
  collector.answers = () => null
  await sql`update log_sinks set next_attempt_at = null`.execute(db)
  expect(await ship(id)).toMatchObject({ position: 1_000, problem: null })
})

test('a collector that takes small requests only gets small ones', async () => {
  await write(1_000)
  const { id } = await ofCollector()
  collector.answers = (records) => (records.length > 300 ? { status: 413 } : null)
  expect(await ship(id)).toMatchObject({ position: 1_000, problem: null })
  expect(seqsOf(collector)).toEqual(Array.from({ length: 1_000 }, (_, n) => n + 1))
})

const NO_COLLECTOR = 'The answer is not that of a collector. Check the path of the address, usually /v1/logs.'
test.for([
  ['nothing', { status: 204 }, null],
  ['a warning', { status: 200, body: '{"partialSuccess":{"errorMessage":"slow down"}}' }, null],
  ['a page', { status: 200, body: '<h1>Welcome</h1>', type: 'text/html' }, NO_COLLECTOR],
  ['half a page', { status: 200, body: '{' }, NO_COLLECTOR],
  ['null', { status: 200, body: 'null' }, NO_COLLECTOR],
  ['a long answer', { status: 200, body: ' '.repeat(100_000) }, NO_COLLECTOR],
  ['a refusal of the token', { status: 401, body: 'bad\ntoken' }, 'The collector answered 401: bad token.'],
] as const)('a collector that answers with %s', async ([, answer, problem]) => {
  await write(2)
  const { id } = await ofCollector()
  collector.answers = () => answer
  expect(await ship(id)).toMatchObject({ position: problem === null ? 2 : 0, problem })
})

test('a server with an unknown certificate gets nothing', async () => {
  await write(1)
  const { id } = await makeLogSink(db, { kind: 'syslog', address: syslog.address })
  expect((await ship(id))?.problem).toContain('self-signed')
  expect(syslog.received).toEqual([])
})

test('headers are sent as they were typed, and a secret that cannot be read stops the sink', async () => {
  await write(1)
  const secretKeys = { current: key, old: [] }
  const { id } = await ofCollector()
  const secret = encryptSecret({ secretKeys, randomBytes }, id, Buffer.from('{"x-api-key":"s3cret"}'))
  await db.updateTable('log_sinks').set({ secret }).execute()
  expect((await ship(id))?.problem).toContain('cannot be read with SECRETS_KEY')
  await sql`update log_sinks set next_attempt_at = null`.execute(db)
  expect(await ship(id, { secretKeys })).toMatchObject({ position: 1 })
  expect(collector.headers).toMatchObject({ 'x-api-key': 's3cret', 'content-type': 'application/json' })
})

test('a certificate that cannot be read is told', async () => {
  await write(1)
  const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'
  const { id } = await makeLogSink(db, { kind: 'syslog', address: syslog.address, certificate_authority: pem })
  const secretKeys = { current: key, old: [] }
  const secret = encryptSecret({ secretKeys, randomBytes }, id, Buffer.from(pem))
  await db.updateTable('log_sinks').set({ secret }).execute()
  expect((await ship(id, { secretKeys }))?.problem).toMatch(/^The connection failed: ERR_OSSL_/)
})

test('an answer that repeats a header is told without it', async () => {
  await write(1)
  const secretKeys = { current: key, old: [] }
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  receiver.answer = ({ headers }) => ({ status: 401, body: `no: ${headers.authorization}` })
  const { id } = await makeLogSink(db, { kind: 'otlp', address: receiver.url })
  const secret = encryptSecret({ secretKeys, randomBytes }, id, Buffer.from('{"authorization":"Bearer s3cret"}'))
  await db.updateTable('log_sinks').set({ secret }).execute()
  expect(await ship(id, { secretKeys })).toMatchObject({ problem: 'The collector answered 401: no: [secret].' })
})

test('an entry that was changed after its sealing is sent nowhere', async () => {
  await write(3)
  const { id } = await ofCollector()
  await tamper("update audit_log set reason = 'x' where seq = 2")
  expect(await ship(id)).toMatchObject({
    position: 1,
    problem: 'The chain of the audit log breaks at row 2, so nothing after it is sent.',
  })
  expect(seqsOf(collector)).toEqual([1])
})

test('a sink that is off gets nothing but tests', async () => {
  await write(1)
  const { id } = await ofCollector()
  await sql`update log_sinks set is_on = false, test_requested_at = now()`.execute(db)
  expect(await ship(id)).toMatchObject({ position: 0, test_problem: null, tested_at: expect.any(String) })
  expect(collector.received.map(({ record }) => Object.keys(record))).toEqual([['at', 'test']])
  collector.fails = () => true
  // The last test may have ended in this millisecond.
  await sql`update log_sinks set test_requested_at = tested_at + interval '1 second'`.execute(db)
  expect((await ship(id))?.test_problem).toMatch(/^The (collector|server) /)
})

const DAYS = ['2026-01-05T10:00:00Z', '2026-01-05T23:59:59.999Z', '2026-01-06T00:00:00Z', '2026-01-08T12:00:00Z']

test('a signed file per day, when the day is over', async () => {
  for (const at of DAYS) await write(2, new Date(at))
  await write(1)
  const { id, public_key } = await makeLogSink(db, { kind: 'file' })
  expect(await ship(id)).toMatchObject({ position: 8, entries_behind: 1, seconds_behind: 0, problem: null })
  const names = (await readdir(folder)).filter((name) => name.endsWith('.gz')).toSorted()
  expect(names).toEqual([
    expect.stringMatching(/^audit-2026-01-05-1-[\da-f]{12}\.ndjson\.gz$/),
    expect.stringMatching(/^audit-2026-01-06-5-[\da-f]{12}\.ndjson\.gz$/),
    expect.stringMatching(/^audit-2026-01-08-7-[\da-f]{12}\.ndjson\.gz$/),
  ])
  const publicKeys = [createPublicKey(public_key ?? '')]
  expect(await checkAuditFiles(db, folder, { publicKeys })).toEqual({ first: 1, last: 8 })
  // As docs/operate/log-shipping.md does it.
  const [file, pem] = [path.join(folder, names[0] ?? ''), path.join(folder, 'key.pem')]
  await writeFile(pem, public_key ?? '')
  const args = ['-verify', '-pubin', '-inkey', pem, '-rawin', '-in', file, '-sigfile', signatureOf(file)]
  expect(execFileSync('openssl', ['pkeyutl', ...args], { encoding: 'utf8' })).toContain(
    'Signature Verified Successfully',
  )
})

test('a changed, missing or foreign file is refused by its name', async () => {
  for (const at of DAYS) await write(2, new Date(at))
  const { id, public_key } = await makeLogSink(db, { kind: 'file' })
  await ship(id)
  const publicKeys = [createPublicKey(public_key ?? '')]
  const names = (await readdir(folder)).filter((name) => name.endsWith('.gz')).toSorted()
  const middle = path.join(folder, names[1] ?? '')
  const content = await readFile(middle)
  await writeFile(
    middle,
    content.map((byte, n) => (n === 100 ? byte ^ 1 : byte)),
  )
  await expect(readAuditFile(middle, publicKeys)).rejects.toThrow(`${names[1]} was changed, or signed with another key`)
  // Without its signature, the chain still says that it is damaged.
  await expect(readAuditFile(middle, null)).rejects.toThrow(/was changed: it cannot be decompressed/)
  await writeFile(middle, content)
  await expect(readAuditFile(middle, [])).rejects.toThrow('signed with another key')
  expect(await readAuditFile(middle, publicKeys)).toMatchObject({
    day: '2026-01-06',
    before: { seq: 4 },
    end: { seq: 6 },
  })
  await rm(middle)
  await expect(checkAuditFiles(db, folder, { publicKeys })).rejects.toThrow(
    `${names[2]} does not continue the chain after row 4: a file is missing.`,
  )
})

test('files from before a restore are told from a missing file', async () => {
  for (const at of DAYS.slice(0, 2)) await write(2, new Date(at))
  const { id, public_key } = await makeLogSink(db, { kind: 'file' })
  await ship(id)
  // The backup has two of the four rows and no file of them.
  await tamper(
    'delete from audit_log where seq > 2; update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 2)',
  )
  await sql`update log_sinks set position = 0, position_hash = decode(repeat('00', 32), 'hex')`.execute(db)
  for (const at of DAYS.slice(1)) await write(1, new Date(at))
  expect(await ship(id)).toMatchObject({ position: 5, problem: null })
  await expect(checkAuditFiles(db, folder, { publicKeys: [createPublicKey(public_key ?? '')] })).rejects.toThrow(
    /has other rows than the files before it\. After a restore, move the files from before it away\.$/,
  )
})

test('the test of a sink of files leaves a signed file, and a folder that cannot be written is told', async () => {
  const { id } = await makeLogSink(db, { kind: 'file' })
  await sql`update log_sinks set test_requested_at = now()`.execute(db)
  expect(await ship(id)).toMatchObject({ test_problem: null })
  expect((await readdir(folder)).toSorted()).toEqual(['test.json', 'test.json.sig'])
  const file = path.join(folder, 'test.json')
  await sql`update log_sinks set test_requested_at = tested_at + interval '1 second'`.execute(db)
  expect(await ship(id, { auditFiles: file })).toMatchObject({ test_problem: `${file} is not a folder.` })
})
