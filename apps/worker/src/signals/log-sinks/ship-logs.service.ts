import { createPrivateKey } from 'node:crypto'
import { hostAndPort, type LogSinkKind } from '@switchboard/contract/signals/log-sinks'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { pause } from '@switchboard/database/pause'
import { StartError } from '@switchboard/database/start/start-error'
import { decryptSecret, type SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import { retryDelayMs } from '@switchboard/jobs/retry-delay'
import type { Log } from '@switchboard/server/process/log'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import type { Kysely } from 'kysely'
import { batchAfter, type BatchEntry, writeDay, writeTestFile } from './batches.ts'
import { type LogRecord, recordOfEnd, testRecord } from './log-record.ts'
import * as queries from './log-sinks.queries.ts'
import type { Outbound } from './otlp.client.ts'
import { RefusedBatchError, ShippingError } from './shipping-error.ts'
import { sendToSyslog } from './syslog.client.ts'

/** Interval of the search for sinks with something to send, in milliseconds. */
const EVERY_MS = 1_000
/** Delay of the first retry in milliseconds, and the number of the attempt after which the delays no longer grow. */
const FIRST_RETRY_MS = 1_000
const GROWING_ATTEMPTS = 5

export type ShippingDeps = Outbound & {
  db: Kysely<Database>
  /** A pool with a connection for each sink, because a slow sink keeps one while it sends. */
  sinkDb: Kysely<Database>
  log: Log
  secretKeys: SecretKeys
  /** The folder AUDIT_FILES. Undefined: this worker writes no files. */
  auditFiles: string | undefined
  random: () => number
  firstRetryMs?: number
}

/**
 * Ships the audit log to all sinks until stopped, each at its pace. Any number of workers may ship: one of them at a time sends
 * to a sink. The position of a sink moves after it has confirmed a batch, so a killed worker repeats at most one batch.
 */
export function shipLogs(deps: ShippingDeps): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const kinds: LogSinkKind[] = ['otlp', 'syslog', ...(deps.auditFiles === undefined ? [] : (['file'] as const))]
  const busy = new Map<string, Promise<void>>()

  const start = (id: string): void => {
    const work = loggingFailures(deps.log, 'shipping the audit log', () => ship(deps, id, signal))
    busy.set(
      id,
      work().finally(() => busy.delete(id)),
    )
  }
  const search = loggingFailures(deps.log, 'looking for log sinks with something to send', async () => {
    for (const id of await queries.dueSinks(deps.db, kinds)) if (!busy.has(id)) start(id)
  })
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await search()
      await pause(EVERY_MS, signal)
    }
    await Promise.all(busy.values())
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Sends everything that is due for a sink, batch by batch. */
async function ship(deps: ShippingDeps, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await shipBatch(deps, id))) continue
}

/**
 * Sends a test record or the next batch to a sink, in one transaction. Returns whether more may be due: not after a failure, and
 * not when another worker sends to this sink.
 */
export async function shipBatch(deps: ShippingDeps, id: string): Promise<boolean> {
  const { sinkDb, log, random, firstRetryMs = FIRST_RETRY_MS } = deps
  return await sinkDb.transaction().execute(async (trx) => {
    const sink = await queries.takeSink(trx, id)
    if (sink === undefined) return false
    if (sink.is_test_due && sink.test_requested_at !== null) {
      const problem = await problemOf(() => test(deps, sink))
      await queries.recordTest(trx, id, { requestedAt: sink.test_requested_at, problem })
      return sink.is_sending_due
    }
    if (!sink.is_sending_due) return false
    const position = { seq: sink.position, hash: sink.position_hash.toString('hex') }
    let sent: Sent = { end: position, isEndSent: false }
    const problem = await problemOf(async () => {
      sent =
        sink.kind === 'file' ? await writeNextDay(deps, sink, position, trx) : await sendNext(deps, sink, position, trx)
    })
    if (problem === null) {
      await queries.moveSink(trx, id, sent)
      return true
    }
    if (sink.attempts === 0) log.warn({ sink: sink.name, problem }, 'a log sink fails')
    const attempt = Math.min(sink.attempts + 1, GROWING_ATTEMPTS)
    await queries.delaySink(trx, id, { problem, delayMs: retryDelayMs({ firstRetryMs, random }, attempt, undefined) })
    return false
  })
}

/** Why the work failed, as a sentence. Null after a success. Throws errors of the program. */
async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ShippingError || error instanceof StartError) return error.message
    throw error
  }
}

type Taken = NonNullable<Awaited<ReturnType<typeof queries.takeSink>>>

/** The position after what was sent, and whether the end of the chain was too. */
type Sent = { end: AuditAnchor; isEndSent: boolean }

/** Sends the next entries. Without any, the end of the chain. */
async function sendNext(deps: ShippingDeps, sink: Taken, position: AuditAnchor, db: Kysely<Database>): Promise<Sent> {
  const batch = await batchAfter(db, position)
  if (batch.length > 0) return { end: await sendEntries(deps, sink, batch), isEndSent: false }
  if (sink.is_end_due) await send(deps, sink, [recordOfEnd(sink.now, position)])
  return { end: position, isEndSent: sink.is_end_due }
}

/**
 * Sends a batch, or as much of its beginning as the receiver takes. Returns the position after what was sent, so that the sink
 * stops right before an entry that the receiver does not take. No entry is skipped.
 */
async function sendEntries(deps: ShippingDeps, sink: Taken, batch: readonly BatchEntry[]): Promise<AuditAnchor> {
  const last = batch.at(-1)
  if (last === undefined) throw new Error('A batch has an entry.')
  try {
    await send(
      deps,
      sink,
      batch.map(({ record }) => record),
    )
    return last.end
  } catch (error) {
    if (!(error instanceof RefusedBatchError)) throw error
    if (batch.length > 1) return await sendEntries(deps, sink, batch.slice(0, Math.floor(batch.length / 2)))
    throw new ShippingError(`${error.message} It does not take entry ${last.end.seq}, so nothing after it is sent.`, {
      cause: error,
    })
  }
}

async function writeNextDay(
  deps: ShippingDeps,
  sink: Taken,
  position: AuditAnchor,
  db: Kysely<Database>,
): Promise<Sent> {
  const end = await writeDay(db, { folder: folderOf(deps), position, privateKey: signingKeyOf(deps, sink) })
  return { end, isEndSent: false }
}

async function test(deps: ShippingDeps, sink: Taken): Promise<void> {
  if (sink.kind === 'file')
    await writeTestFile(folderOf(deps), signingKeyOf(deps, sink), testRecord(sink.now, sink.name))
  else await send(deps, sink, [testRecord(sink.now, sink.name)])
}

async function send(deps: ShippingDeps, sink: Taken, records: readonly LogRecord[]): Promise<void> {
  const certificateAuthority = sink.certificate_authority
  const secret = secretOf(deps, sink)?.toString() ?? null
  if (sink.kind === 'otlp') {
    // No package of OpenTelemetry is loaded without a sink that needs it.
    const { sendToCollector } = await import('./otlp.client.ts')
    const headers: Record<string, string> = secret === null ? {} : JSON.parse(secret)
    await sendToCollector({ url: sink.address ?? '', headers, certificateAuthority }, records, deps)
    return
  }
  const server = hostAndPort(sink.address ?? '')
  if (server === null) throw new ShippingError('The address of the syslog server has no host or no port.')
  await sendToSyslog({ ...server, certificateAuthority, clientCertificate: secret }, records, deps)
}

function folderOf({ auditFiles }: ShippingDeps): string {
  if (auditFiles === undefined) throw new ShippingError('This worker has no AUDIT_FILES.')
  return auditFiles
}

function signingKeyOf(deps: ShippingDeps, sink: Taken) {
  const key = secretOf(deps, sink)
  if (key === null) throw new ShippingError('The log sink has no key that signs its files.')
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function secretOf({ secretKeys }: ShippingDeps, { id, secret }: Taken): Buffer | null {
  if (secret === null) return null
  const plain = decryptSecret(secretKeys, id, secret)
  if (plain === null)
    throw new ShippingError('The secret of the log sink cannot be read with SECRETS_KEY of this worker.')
  return plain
}
