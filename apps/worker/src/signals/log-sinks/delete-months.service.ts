import { auditEnd, checkRows, rowsAfter } from '@switchboard/database/audit/audit-chain'
import { type DeletedMonth, deletedEnd } from '@switchboard/database/audit/deleted-months'
import { deletedMonths, deleteMonth, lockDeletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { dueMonth } from '@switchboard/database/audit/retention.queries'
import { pause } from '@switchboard/database/pause'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'

/** Interval of the searches for a month to delete, in milliseconds. */
const EVERY_MS = 3_600_000

/** `hasFailed`: also when a log sink holds a month back. */
export type Deleting = { hasFailed: () => boolean; stop: () => Promise<void> }

/**
 * Deletes all months that are older than `months` and that every log sink has, now and once an hour until stopped. Null keeps
 * all rows.
 */
export function deleteMonths({ db, log }: Pick<Deps, 'db' | 'log'>, months: number | null): Deleting {
  const stopping = new AbortController()
  const { signal } = stopping
  let hasFailed = false

  const run = async (kept: number): Promise<void> => {
    while (!signal.aborted) {
      try {
        const deleted = await deleteOldestMonth(db, kept, signal)
        if (deleted !== null)
          log.info({ deleted }, 'a month of the audit log was deleted, because every log sink has it')
        if (deleted !== null) continue
        const problem = (await dueMonth(db, kept))?.problem ?? null
        hasFailed = problem !== null
        if (hasFailed) log.warn({ problem }, 'a month of the audit log cannot be deleted yet')
      } catch (error) {
        if (signal.aborted) return
        hasFailed = true
        log.error({ err: error }, 'a month of the audit log could not be deleted, the next hour tries again')
      }
      await pause(EVERY_MS, signal)
    }
  }
  const running = months === null ? Promise.resolve() : run(months)

  return {
    hasFailed: () => hasFailed,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/**
 * Deletes the oldest month of the audit log if it is older than `months` and every log sink has it. Its chain is checked before.
 * Returns the month, or null when none is due, a log sink does not have it, or another worker deletes. Throws when the chain is
 * broken: then nothing is deleted.
 */
export async function deleteOldestMonth(
  db: Kysely<Database>,
  months: number,
  signal?: AbortSignal,
): Promise<DeletedMonth | null> {
  return await db.transaction().execute(async (trx) => {
    if (!(await lockDeletedMonths(trx))) return null
    const due = await dueMonth(trx, months)
    if (due === null || due.problem !== null) return null
    const deleted = await checkedMonth(trx, due.month, signal)
    await deleteMonth(trx, deleted)
    return deleted
  })
}

/** The rows from the beginning of the log up to the first one of a later month. */
async function checkedMonth(
  trx: Transaction<Database>,
  month: string,
  signal: AbortSignal | undefined,
): Promise<DeletedMonth> {
  const before = deletedEnd(await deletedMonths(trx))
  const head = await auditEnd(trx)
  let last = before
  for (let isLater = false; !isLater && last.seq < head.seq;) {
    signal?.throwIfAborted()
    const rows = await rowsAfter(trx, last.seq, head.seq)
    const later = rows.findIndex(({ at_text }) => at_text !== null && at_text.slice(0, month.length) > month)
    isLater = later !== -1
    if (later === 0) break
    const checked = checkRows(last, isLater ? rows.slice(0, later) : rows)
    if (checked.brokenRow !== null) throw new Error(`The chain of the audit log breaks at row ${checked.brokenRow}.`)
    last = checked.last
  }
  return {
    month,
    first_seq: before.seq + 1,
    last_seq: last.seq,
    hash_before: before.hash,
    hash_after: last.hash,
  }
}
