import { mkdir } from 'node:fs/promises'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'
import { type ArchivedRow, checkArchiveFile, writeArchiveFile } from '@switchboard/database/audit/audit-archive-file'
import { type AuditArchive, archivedEnd } from '@switchboard/database/audit/audit-archives'
import {
  auditArchives,
  closedMonthOf,
  lockArchives,
  replaceByArchive,
} from '@switchboard/database/audit/audit-archives.queries'
import { auditEnd, checkRows, rowsAfter } from '@switchboard/database/audit/audit-chain'
import { HASHED_COLUMNS, hashedText } from '@switchboard/database/audit/audit-row'
import { pause } from '@switchboard/database/pause'
import { fileError } from '@switchboard/database/start/start-error'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'

/** Interval of the searches for a month to archive, in milliseconds. */
const EVERY_MS = 3_600_000

/** Rows stay in the log for this number of months after the end of their month. The files are in `folder`. */
export type AuditRetention = { months: number; folder: string }

export type Archiving = { hasFailed: () => boolean; stop: () => Promise<void> }

/** Archives all months that are older than the retention, now and once an hour until stopped. Null keeps all rows. */
export function archiveMonths({ db, log }: Pick<Deps, 'db' | 'log'>, retention: AuditRetention | null): Archiving {
  const stopping = new AbortController()
  const { signal } = stopping
  let hasFailed = false

  const run = async (kept: AuditRetention): Promise<void> => {
    while (!signal.aborted) {
      try {
        const archive = await archiveOldestMonth(db, kept, signal)
        hasFailed = false
        if (archive !== null) log.info({ archive }, 'a month of the audit log was archived')
        if (archive !== null) continue
      } catch (error) {
        if (signal.aborted) return
        hasFailed = true
        log.error({ err: error }, 'a month of the audit log could not be archived, the next hour tries again')
      }
      await pause(EVERY_MS, signal)
    }
  }
  const running = retention === null ? Promise.resolve() : run(retention)

  return {
    hasFailed: () => hasFailed,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/**
 * Moves the oldest month of the audit log to a file, if all its rows are older than the retention. The rows are deleted after the
 * file has been read back and its chain recomputed. Returns the archive, or null when no month is due or another worker archives.
 *
 * One transaction from the first row to the deletion: a kill leaves the rows, and perhaps a complete file that the next call
 * replaces. Throws when the chain of the rows is broken, and a StartError for an error of the file system.
 */
export async function archiveOldestMonth(
  db: Kysely<Database>,
  { months, folder }: AuditRetention,
  signal?: AbortSignal,
): Promise<AuditArchive | null> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockArchives(trx))) return null
    const before = archivedEnd(await auditArchives(trx))
    const month = await closedMonthOf(trx, { seq: before.seq + 1, months })
    if (month === undefined) return null
    await makeFolder(folder)
    const rows = rowsOfMonth(trx, { before, month, signal })
    const archive = await writeArchiveFile(folder, { month, before, columns: HASHED_COLUMNS }, rows)
    const { problem } = await checkArchiveFile(folder, archive)
    if (problem !== null) throw new Error(problem)
    await replaceByArchive(trx, archive)
    return archive
  })
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw fileError(error, folder)
  }
}

/** The checked rows after `before`, up to the first one of a later month. */
async function* rowsOfMonth(
  trx: Transaction<Database>,
  { before, month, signal }: { before: AuditAnchor; month: string; signal: AbortSignal | undefined },
): AsyncGenerator<ArchivedRow[]> {
  const head = await auditEnd(trx)
  let checked = before
  while (checked.seq < head.seq) {
    signal?.throwIfAborted()
    const rows = await rowsAfter(trx, checked.seq, head.seq)
    const { brokenRow } = checkRows(checked, rows)
    if (brokenRow !== null) throw new Error(`The chain of the audit log breaks at row ${brokenRow}.`)
    const later = rows.findIndex(({ at_text }) => at_text !== null && at_text.slice(0, month.length) > month)
    const archived = (later === -1 ? rows : rows.slice(0, later)).map((row) => ({
      seq: row.seq,
      hash: row.hash.toString('hex'),
      text: hashedText(row),
    }))
    yield archived
    if (later !== -1) return
    checked = archived.at(-1) ?? checked
  }
}
