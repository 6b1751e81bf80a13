import { createPrivateKey } from 'node:crypto'
import { hostAndPort } from '@switchboard/contract/signals/log-sinks'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { decryptSecret, type SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { batchAfter, type BatchEntry, writeDay, writeTestFile } from './batches.ts'
import { type LogRecord, recordOfEnd, testRecord } from './log-record.ts'
import type * as queries from './log-sinks.queries.ts'
import type { Outbound } from './otlp.client.ts'
import { RefusedBatchError, ShippingError } from './shipping-error.ts'
import { sendToSyslog } from './syslog.client.ts'

export type SendingDeps = Outbound & {
  secretKeys: SecretKeys
  /** The folder AUDIT_FILES. Undefined: this worker writes no files. */
  auditFiles: string | undefined
}

type Taken = NonNullable<Awaited<ReturnType<typeof queries.takeSink>>>

/** The position after what was sent, and whether the end of the chain was too. */
type Sent = { end: AuditAnchor; isEndSent: boolean }

/**
 * Sends the next entries to a sink, or without any the end of the chain. Of files, it writes the next day. Throws a ShippingError
 * or a StartError with the reason.
 */
export async function sendNext(deps: SendingDeps, sink: Taken, db: Kysely<Database>): Promise<Sent> {
  const position = { seq: sink.position, hash: sink.position_hash.toString('hex') }
  if (sink.kind === 'file') {
    const end = await writeDay(db, { folder: folderOf(deps), position, privateKey: signingKeyOf(deps, sink) })
    return { end, isEndSent: false }
  }
  const batch = await batchAfter(db, position)
  if (batch.length > 0) return { end: await sendEntries(deps, sink, batch), isEndSent: false }
  if (sink.is_end_due) await send(deps, sink, [recordOfEnd(sink.now, position)])
  return { end: position, isEndSent: sink.is_end_due }
}

/** Sends a test record to a sink. Throws a ShippingError or a StartError with the reason. */
export async function sendTest(deps: SendingDeps, sink: Taken): Promise<void> {
  const record = testRecord(sink.now, sink.name)
  if (sink.kind === 'file') await writeTestFile(folderOf(deps), signingKeyOf(deps, sink), record)
  else await send(deps, sink, [record])
}

/**
 * Sends a batch, or as much of its beginning as the receiver takes. Returns the position after what was sent, so that the sink
 * stops right before an entry that the receiver does not take. No entry is skipped.
 */
async function sendEntries(deps: SendingDeps, sink: Taken, batch: readonly BatchEntry[]): Promise<AuditAnchor> {
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

async function send(deps: SendingDeps, sink: Taken, records: readonly LogRecord[]): Promise<void> {
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

function folderOf({ auditFiles }: SendingDeps): string {
  if (auditFiles === undefined) throw new ShippingError('This worker has no AUDIT_FILES.')
  return auditFiles
}

function signingKeyOf(deps: SendingDeps, sink: Taken) {
  const key = secretOf(deps, sink)
  if (key === null) throw new ShippingError('The log sink has no key that signs its files.')
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function secretOf({ secretKeys }: SendingDeps, { id, secret }: Taken): Buffer | null {
  if (secret === null) return null
  const plain = decryptSecret(secretKeys, id, secret)
  if (plain === null)
    throw new ShippingError('The secret of the log sink cannot be read with SECRETS_KEY of this worker.')
  return plain
}
