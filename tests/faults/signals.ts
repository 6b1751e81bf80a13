import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { type Event, eventOf } from '@switchboard/contract/signals/events'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { endOfLog, entriesAfter, type LogEntry } from '@switchboard/database/audit/read-log'
import { connect } from '@switchboard/database/connection/connect'
import { migrate } from '@switchboard/database/migrate'
import type { Database } from '@switchboard/database/tables'
import { startEmbeddedPostgres } from '@switchboard/embedded-postgres/embedded-postgres'
import { makeTenant } from '@switchboard/testing/factories'
import { type LogReceiver, startCollector, startSyslogServer } from '@switchboard/testing/log-receivers'
import { makeLogSink } from '@switchboard/testing/log-sink-factory'
import { type ReceivedRequest, startReceiver } from '@switchboard/testing/receiver'
import { makeWebhook, WEBHOOK_SECRET } from '@switchboard/testing/webhook-factory'
import type { Kysely } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { dataFolder } from '#tests/server-process.ts'

// Changes tenants while two workers send the events to a slow receiver and the log to two sinks, which all fail half the
// time, and kills both workers again and again: `node tests/faults/signals.ts --changes 10000 --kills 20`.

/** Answers of a receiver take up to this time. */
const SLOW_MS = 40
/** Most failures of a receiver in a row for one event, because each doubles the wait. */
const FAILURES_MAX = 3
/** Longest time from the first delivery of new workers to the next kill, at random. */
const KILL_AFTER_MAX_MS = 2_000
const WRITERS = 8
const BATCH = 1_000
const actor = { id: null, email: 'ada@example.com', address: '192.0.2.1', request_id: null }

type Options = { changes: number; tenants: number; kills: number }

type Delivered = {
  events: number
  requests: number
  /** Requests that the receiver answered with an error. */
  failed: number
  /** Events that the receiver took more than once, because a worker was killed before it noted the answer. */
  repeated: number
  /** Events that were never taken. */
  lost: string[]
  /** Events that came with different bytes. */
  different: string[]
  /** Events that came after a later event of the same record. */
  disordered: string[]
  /** Requests without a valid signature. */
  unsigned: number
  /** Problems of the log that the sinks have received. */
  sinks: string[]
}

/** Changes tenants of a migrated database, and returns what a webhook and two sinks have received in the end. */
export async function deliverChanges(databaseUrl: string, { changes, tenants, kills }: Options): Promise<Delivered> {
  const db = connect(databaseUrl, { max: WRITERS + 2 })
  const receiver = await startReceiver()
  const taken = new Map<string, number>()
  const failures = new Map<string, number>()
  const counts = { failed: 0, unsigned: 0 }
  receiver.answer = (request) => {
    if (!isSigned(request)) counts.unsigned += 1
    const id = idOf(request)
    const waitMs = Math.random() * SLOW_MS
    const failed = failures.get(id) ?? 0
    if (failed < FAILURES_MAX && Math.random() < 0.5) {
      failures.set(id, failed + 1)
      counts.failed += 1
      return { status: Math.random() < 0.5 ? 500 : 429, waitMs }
    }
    failures.delete(id)
    taken.set(id, (taken.get(id) ?? 0) + 1)
    return { status: 204, waitMs }
  }
  const sinks = [await startCollector(), await startSyslogServer()] as const
  for (const sink of sinks) sink.fails = () => Math.random() < 0.5
  let workers: ChildProcess[] = []
  try {
    const { id: webhook_id } = await makeWebhook(db, { url: receiver.url })
    const [{ address: collector }, { address: syslog, certificate }] = sinks
    await makeLogSink(db, { kind: 'otlp', address: collector })
    await makeLogSink(db, { kind: 'syslog', address: syslog, certificate_authority: certificate })
    const ids: string[] = []
    for (let n = 0; n < tenants; n += 1) ids.push((await makeTenant(db)).id)
    workers = await startWorkers(databaseUrl)
    await Promise.all([
      changeTenants(db, ids, changes),
      (async () => {
        for (let n = 0; n < kills; n += 1) {
          // Until a lost worker's jobs go to others, they hold all slots of the webhook: a kill before that would interrupt nothing.
          const before = receiver.received.length
          await until(() => receiver.received.length > before)
          await sleep(Math.random() * KILL_AFTER_MAX_MS)
          await kill(workers)
          workers = await startWorkers(databaseUrl)
        }
      })(),
    ])
    await until(() => isDelivered(db, webhook_id))
    const entries = await entriesOf(db)
    const events = entries.flatMap((entry) => eventOf(entry) ?? [])
    return {
      events: events.length,
      requests: receiver.received.length,
      ...counts,
      ...compare(events, receiver.received, taken),
      sinks: [
        ...problemsOfSink('The collector', sinks[0], entries),
        ...problemsOfSink('The syslog server', sinks[1], entries),
      ],
    }
  } finally {
    await kill(workers)
    await Promise.all([receiver, ...sinks].map(({ close }) => close()))
    await db.destroy()
  }
}

async function startWorkers(databaseUrl: string): Promise<ChildProcess[]> {
  return await Promise.all([startQuickWorker(databaseUrl), startQuickWorker(databaseUrl)])
}

/** Starts a worker, again if a start fails, as a supervisor does. */
async function startQuickWorker(databaseUrl: string): Promise<ChildProcess> {
  for (;;) {
    const worker = fork(path.join(import.meta.dirname, 'quick-worker.ts'), [databaseUrl])
    const isReady = await new Promise<boolean>((resolve) => {
      worker.once('message', () => resolve(true))
      worker.once('exit', () => resolve(false))
    })
    if (isReady) return worker
  }
}

async function kill(workers: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    workers.map(async (worker) => {
      if (worker.exitCode !== null || worker.signalCode !== null) return
      const ended = once(worker, 'exit')
      worker.kill('SIGKILL')
      await ended
    }),
  )
}

/** Changes the tenants in turn, by several writers at once, as a service does: each change with its audit entry. */
async function changeTenants(db: Kysely<Database>, ids: readonly string[], changes: number): Promise<void> {
  let next = 0
  const write = async () => {
    while (next < changes) {
      const n = next
      next += 1
      const id = ids[n % ids.length] ?? ''
      await db.transaction().execute(async (trx) => {
        const { goal, name } = await trx
          .selectFrom('tenants')
          .select(['goal', 'name'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow()
        await trx
          .updateTable('tenants')
          .set({ goal: `${n}` })
          .where('id', '=', id)
          .execute()
        await writeAudit(trx, new Date(), actor, {
          action: 'tenants.update',
          target: { type: 'tenant', id, name, tenant_id: id },
          changes: { goal: { before: goal, after: `${n}` } },
        })
      })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** Whether the webhook and the sinks have read the whole log and nothing waits. */
async function isDelivered(db: Kysely<Database>, webhook_id: string): Promise<boolean> {
  const unsealed = await db.selectFrom('audit_unsealed').select('id').limit(1).execute()
  const { seq } = await db
    .selectFrom('webhook_positions')
    .select('seq')
    .where('webhook_id', '=', webhook_id)
    .executeTakeFirstOrThrow()
  const waiting = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('ended_at', 'is', null)
    .limit(1)
    .execute()
  const end = await endOfLog(db)
  const behind = await db.selectFrom('log_sinks').select('id').where('position', '<', end).execute()
  return unsealed.length + waiting.length + behind.length === 0 && seq === end
}

async function entriesOf(db: Kysely<Database>): Promise<LogEntry[]> {
  const all: LogEntry[] = []
  for (let position = 0; ;) {
    const entries = await entriesAfter(db, position, BATCH)
    all.push(...entries)
    position = entries.at(-1)?.seq ?? position
    if (entries.length < BATCH) return all
  }
}

function compare(events: readonly Event[], received: readonly ReceivedRequest[], taken: ReadonlyMap<string, number>) {
  const bodies = new Map<string, string>()
  const last = new Map<string, number>()
  const [different, disordered]: [string[], string[]] = [[], []]
  const byId = new Map(events.map((event) => [event.id, event]))
  for (const request of received) {
    const id = idOf(request)
    const event = byId.get(id)
    const body = bodies.get(id) ?? request.body
    bodies.set(id, body)
    if (event === undefined || request.body !== body || body !== JSON.stringify(event)) different.push(id)
    const record = event?.target.id ?? null
    if (event === undefined || record === null) continue
    if (event.seq < (last.get(record) ?? 0)) disordered.push(id)
    last.set(record, event.seq)
  }
  const lost = events.map(({ id }) => id).filter((id) => !taken.has(id))
  return { repeated: [...taken.values()].filter((times) => times > 1).length, lost, different, disordered }
}

/** Every entry arrives, in order when it comes first, with the hash of the log, and always with the same text. */
function problemsOfSink(kind: string, { received }: LogReceiver, entries: readonly LogEntry[]): string[] {
  const texts = Map.groupBy(received, ({ record }) => record['seq'])
  // The end of the chain, which is sent daily.
  texts.delete(undefined)
  const missing = entries.filter(({ seq }) => !texts.has(seq)).map(({ seq }) => `${kind} never got entry ${seq}.`)
  const hashes = entries.map(({ hash }) => hash.toString('hex'))
  const inOrder = [...texts.values()].map(([first]) => first?.record['hash'])
  const changed = [...texts].filter(([, all]) => new Set(all.map(({ text }) => text)).size > 1)
  return [
    ...missing,
    ...(missing.length === 0 && !isDeepStrictEqual(inOrder, hashes) ? [`${kind} got another order.`] : []),
    ...changed.map(([seq]) => `${kind} got entry ${String(seq)} with different texts.`),
  ]
}

function idOf({ headers }: ReceivedRequest): string {
  return String(headers['webhook-id'])
}

function isSigned({ headers, body }: ReceivedRequest): boolean {
  try {
    const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    new Webhook(WEBHOOK_SECRET).verify(body, given)
    return true
  } catch {
    return false
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 1_200_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition did not hold within twenty minutes.')
    await sleep(100)
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      changes: { type: 'string', default: '10000' },
      tenants: { type: 'string', default: '500' },
      kills: { type: 'string', default: '20' },
    },
  })
  const [changes, tenants, kills] = [values.changes, values.tenants, values.kills].map(Number)
  const postgres = await startEmbeddedPostgres({ dataDir: dataFolder(), log: () => undefined })
  const db = connect(postgres.url)
  await migrate(db)
  await db.destroy()
  const started = performance.now()
  const delivered = await deliverChanges(postgres.url, {
    changes: changes ?? 0,
    tenants: tenants ?? 0,
    kills: kills ?? 0,
  })
  console.log({ ...delivered, seconds: Math.round((performance.now() - started) / 1_000) })
  await postgres.stop()
}
