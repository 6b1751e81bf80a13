import { MOVED_KINDS, type MovedKind, type StreamedEntry, STREAM_GAP_MAX } from '@switchboard/contract/signals/stream'
import { endOfLog } from '@switchboard/database/audit/read-log'
import { sealAudit } from '@switchboard/database/audit/seal-audit'
import { pause } from '@switchboard/database/pause'
import { loggingFailures } from '@switchboard/server/process/repeated-failures'
import type { Deps } from '#src/deps.ts'
import { type LastMoves, lastMoves, streamedEntriesAfter } from './stream.queries.ts'

/** Interval of the reads, in milliseconds. */
const POLL_MS = 500

/** The newest entries of the log, at most `STREAM_GAP_MAX`, oldest first, and the position of the last one. */
export type LogTail = { entries: readonly StreamedEntry[]; end: number; moves: LastMoves }

/** The new entries: all of them, or more than `STREAM_GAP_MAX`. `moved` are the kinds of rows that have begun or ended. */
export type News = { fresh: readonly StreamedEntry[]; moved: readonly MovedKind[]; end: number }

/**
 * Follows the audit log until `signal` aborts. Resolves with its tail, which moves on, and calls `onRead` after each read, also
 * after a failed one. Seals the new entries first: a change is then seen within half a second, also while no worker runs.
 */
export async function followLog(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  onRead: (news: News) => Promise<void>,
  signal: AbortSignal,
): Promise<LogTail> {
  const tail: LogTail = { ...(await tailOf(db)), moves: await lastMoves(db) }
  let fresh: StreamedEntry[] = []
  let moved: MovedKind[] = []
  const read = loggingFailures(log, 'reading the audit log for live screens', async () => {
    await sealAudit(db)
    const moves = await lastMoves(db)
    fresh = await streamedEntriesAfter(db, tail.end, STREAM_GAP_MAX + 1)
    const isBurst = fresh.length > STREAM_GAP_MAX
    const entries = [...tail.entries, ...fresh].slice(-STREAM_GAP_MAX)
    const next = isBurst ? await tailOf(db) : { entries, end: fresh.at(-1)?.seq ?? tail.end }
    moved = MOVED_KINDS.filter((kind) => moves[kind].join() !== tail.moves[kind].join())
    Object.assign(tail, next, { moves })
  })
  const follow = async () => {
    while (!signal.aborted) {
      fresh = []
      moved = []
      await read()
      await onRead({ fresh, moved, end: tail.end })
      await pause(POLL_MS, signal)
    }
  }
  void follow()
  return tail
}

async function tailOf(db: Deps['db']): Promise<Pick<LogTail, 'entries' | 'end'>> {
  const end = await endOfLog(db)
  const entries = await streamedEntriesAfter(db, Math.max(0, end - STREAM_GAP_MAX), STREAM_GAP_MAX)
  return { entries, end: entries.at(-1)?.seq ?? end }
}
