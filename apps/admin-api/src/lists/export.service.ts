import { inTransaction } from '@switchboard/database/in-transaction'
import { setImmediate } from 'node:timers/promises'
import { CSV_TYPE, EXPORT_ROWS_HEADER } from '@switchboard/contract/csv/exports'
import { addedFields, type AuditEntry, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf } from '#src/auth/authenticate.service.ts'
import { refuseEndedSession } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { csvHead, csvRecords } from './csv.ts'
import { sendStream, textOf } from './list-reply.ts'
import { allRows, type RowsQuery } from './rows.queries.ts'

/** Rows written per turn of the event loop. The server handles other requests between turns. */
export const ROWS_AT_ONCE = 100

type ExportDeps = Pick<Deps, 'db' | 'streamDb' | 'now' | 'log'>
type Export<Row, Column> = {
  /** Name of the file before its date: "tenants". */
  file: string
  /** Operation id of the contract: `tenants.export`. */
  action: string
  /** The query of the request, for the audit log. */
  query: object
  columns: readonly Column[]
  rows: RowsQuery<Row>
}

/**
 * Answers with all rows of one snapshot as a CSV file. The export and its number of rows are audited before the first
 * byte is sent. An aborted file gets a second audit entry with the number of rows sent. The end of the session aborts
 * the file.
 */
export async function sendExport<Column extends string, Row extends Record<Column, unknown>>(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  list: Export<Row, Column>,
): Promise<void> {
  const { db, now, log } = deps
  const actor = actorOf(request)
  const audit = async (entry: Pick<AuditEntry, 'outcome' | 'reason' | 'changes'>) =>
    await inTransaction(db, (trx) => writeAudit(trx, now(), actor, { action: list.action, ...entry }))
  let total = 0
  const csv = csvOf(deps, list, {
    onCount: async (count) => {
      total = count
      await audit({ changes: addedFields({ ...list.query, rows: count }) })
    },
    onBatch: () => refuseEndedSession(deps, actor),
    onAbort: async (sent) => {
      const reason = `The export broke off after ${sent} of ${total} rows.`
      await audit({ outcome: 'refused', reason }).catch((error: unknown) =>
        log.error({ err: error }, 'the end of an export could not be audited'),
      )
    },
  })
  // Waits for the first batch: an earlier refusal gets an error response.
  const text = await textOf(csv)
  reply.headers({
    'content-type': `${CSV_TYPE}; charset=utf-8; header=present`,
    'content-disposition': `attachment; filename="${list.file}-${now().toISOString().slice(0, 10)}.csv"`,
    [EXPORT_ROWS_HEADER]: total,
  })
  await sendStream(reply, text)
}

/** Yields a whole list in batches of a single snapshot, audited before the first batch like an export. */
export async function* auditedRows<Row>(
  { db, streamDb, now }: ExportDeps,
  request: FastifyRequest,
  { action, query, rows }: Pick<Export<Row, never>, 'action' | 'query' | 'rows'>,
): AsyncGenerator<Row[]> {
  const actor = actorOf(request)
  yield* allRows(streamDb, rows, async (count) => {
    const changes = addedFields({ ...query, rows: count })
    await inTransaction(db, (trx) => writeAudit(trx, now(), actor, { action, changes }))
  })
}

type Progress = {
  /** Called with the number of rows before the first batch. */
  onCount: (total: number) => Promise<void>
  /** Called before each batch; an error aborts the file. */
  onBatch: () => Promise<unknown>
  /** Called with the number of rows sent when the file is aborted. */
  onAbort: (sent: number) => Promise<void>
}

async function* csvOf<Column extends string, Row extends Record<Column, unknown>>(
  { streamDb }: ExportDeps,
  { columns, rows }: Export<Row, Column>,
  { onCount, onBatch, onAbort }: Progress,
): AsyncGenerator<string> {
  let head = csvHead(columns)
  let total = 0
  let sent = 0
  try {
    const begin = async (count: number) => {
      await onCount(count)
      total = count
    }
    for await (const batch of allRows(streamDb, rows, begin)) {
      await onBatch()
      let text = head
      for (let at = 0; at < batch.length; at += ROWS_AT_ONCE) {
        text += csvRecords(columns, batch.slice(at, at + ROWS_AT_ONCE))
        await setImmediate()
      }
      yield text
      head = ''
      sent += batch.length
    }
    if (head !== '') yield head
  } finally {
    if (sent < total) await onAbort(sent)
  }
}
