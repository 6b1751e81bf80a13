import { type KeyObject, sign } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { auditEnd, checkRows, rowsAfter } from '@switchboard/database/audit/audit-chain'
import { type FileRow, signatureOf, writeAuditFile } from '@switchboard/database/audit/audit-file'
import { hashedText, type RowText } from '@switchboard/database/audit/audit-row'
import { fileError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { type LogRecord, recordOfRow } from './log-record.ts'
import { ShippingError } from './shipping-error.ts'

/** Longest text of a batch in characters: collectors refuse large requests. A longer entry is a batch by itself. */
const TEXT_MAX = 1_000_000

/** A record, and the position of a sink that has it. */
export type BatchEntry = { record: LogRecord; end: AuditAnchor }

/** The next entries after a position, up to a thousand of them. None at the end of the log. */
export async function batchAfter(db: Kysely<Database>, position: AuditAnchor): Promise<BatchEntry[]> {
  const { rows } = await checkedRowsAfter(db, position)
  const entries: BatchEntry[] = []
  let length = 0
  for (const row of rows) {
    const record = recordOfRow(row)
    length += record.text.length
    if (entries.length > 0 && length > TEXT_MAX) break
    entries.push({ record, end: anchorOf(row) })
  }
  return entries
}

/** Writes the file of the first day after a position, up to the first row of a later day. Returns the position after it. */
export async function writeDay(
  db: Kysely<Database>,
  { folder, position, privateKey }: { folder: string; position: AuditAnchor; privateKey: KeyObject },
): Promise<AuditAnchor> {
  await makeFolder(folder)
  const first = await checkedRowsAfter(db, position)
  const day = dayOf(first.rows[0])
  return await writeAuditFile(folder, { day, before: position, privateKey }, rowsOfDay(db, first, day))
}

/** Writes a signed test file, which replaces the one of an earlier test. */
export async function writeTestFile(folder: string, privateKey: KeyObject, { text }: LogRecord): Promise<void> {
  await makeFolder(folder)
  const [file, content] = [path.join(folder, 'test.json'), Buffer.from(`${text}\n`)]
  try {
    await writeFile(file, content, { mode: 0o600 })
    await writeFile(signatureOf(file), sign(null, content, privateKey), { mode: 0o600 })
  } catch (error) {
    throw fileError(error, folder)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, folder)
  }
}

async function* rowsOfDay(db: Kysely<Database>, first: CheckedRows, day: string): AsyncGenerator<FileRow[]> {
  for (let part = first; part.rows.length > 0; part = await checkedRowsAfter(db, part.last)) {
    const later = part.rows.findIndex((row) => dayOf(row) > day)
    const rows = later === -1 ? part.rows : part.rows.slice(0, later)
    yield rows.map((row) => ({ ...anchorOf(row), text: hashedText(row) }))
    if (later !== -1) return
  }
}

type CheckedRows = { rows: RowText[]; last: AuditAnchor }

/** Up to a thousand rows. Throws if they do not continue the chain: a sink must not get a changed entry. */
async function checkedRowsAfter(db: Kysely<Database>, position: AuditAnchor): Promise<CheckedRows> {
  const head = await auditEnd(db)
  if (position.seq >= head.seq) return { rows: [], last: position }
  const rows = await rowsAfter(db, position.seq, head.seq)
  const { last, brokenRow } = checkRows(position, rows)
  if (brokenRow === null) return { rows, last }
  const intact = rows.slice(0, last.seq - position.seq)
  if (intact.length > 0) return { rows: intact, last }
  throw new ShippingError(`The chain of the audit log breaks at row ${brokenRow}, so nothing after it is sent.`)
}

function dayOf(row: RowText | undefined): string {
  return row?.at_text?.slice(0, 'YYYY-MM-DD'.length) ?? ''
}

function anchorOf({ seq, hash }: RowText): AuditAnchor {
  return { seq, hash: hash.toString('hex') }
}
