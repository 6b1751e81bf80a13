import { finished, type Writable } from 'node:stream'
import {
  MOVED_KINDS,
  type MovedKind,
  type StreamedEntry,
  type StreamEndReason,
  STREAM_GAP_MAX,
  streamEnd,
  STREAMS_PER_SESSION_MAX,
} from '@switchboard/contract/signals/stream'
import { AppError, tooManyRequests } from '@switchboard/server/http/errors'
import { createCounts } from '@switchboard/server/process/metrics'
import { repeatedFailures } from '@switchboard/server/process/repeated-failures'
import pLimit from 'p-limit'
import { type Actor, refuseEndedSession } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { followLog, type LogTail, type News } from './log-tail.ts'
import type { LastMoves } from './stream.queries.ts'

/** Interval of the comments that keep a quiet connection alive: proxies close one after 30 seconds and more. */
export const HEARTBEAT_MS = 15_000
/** A reader without a position has fetched its records within this time before. */
const RECENT_MS = 10_000
/** A reader with more unread bytes than this is too slow. All streams share the text of an entry. */
const UNREAD_MAX = 262_144
/** Sessions are checked at each change of their account, and after this time, because they expire without one. */
const CHECK_MS = 15_000
/** How long a reader waits before it opens the next stream, in milliseconds. */
const RETRY_MS = 2_000
const RETRY_AFTER_SECONDS = 30

/** An open stream. The reader gets the text that is written `to` it, which has all entries up to `position`. */
type Stream = { actor: Actor; to: Writable; position: number; checkedAt: number }

/** The open streams of the process. One reader follows the log for all of them, and none while there are none. */
export function createStreams(deps: Pick<Deps, 'db' | 'log' | 'now'>, isDraining: () => boolean) {
  const streams = new Set<Stream>()
  const ended = createCounts('reason', streamEnd.shape.reason.options)
  const checks = repeatedFailures(deps.log, 'checking the sessions of live screens')
  const checking = pLimit(2)
  let beatAt = 0
  /** Streams that are open or about to be. The reader ends with the last one. */
  let users = 0
  let stopping = new AbortController()
  let tail: Promise<LogTail> | null = null

  function leave(): void {
    users -= 1
    if (users > 0) return
    stopping.abort()
    tail = null
  }

  /** The tail of the log, which the first stream begins to follow. A failed start is tried again by the next one. */
  function following(): Promise<LogTail> {
    if (tail !== null) return tail
    const started = followLog(deps, onRead, stopping.signal).catch((error: unknown) => {
      if (tail === started) tail = null
      throw error
    })
    return (tail = started)
  }

  function end(stream: Stream, reason: StreamEndReason): void {
    if (!streams.delete(stream)) return
    ended.count(reason)
    if (reason === 'too_slow') deps.log.info({ admin_id: stream.actor.id }, 'a live screen read too slowly')
    stream.to.end(frameOf({ event: 'end', data: { reason } }))
  }

  function send(stream: Stream, text: Buffer): void {
    if (stream.to.writableLength > UNREAD_MAX) end(stream, 'too_slow')
    else stream.to.write(text)
  }

  /** Checks the session of streams, or their service token. */
  async function check(mine: readonly Stream[]): Promise<void> {
    const [stream] = mine
    if (stream === undefined) return
    try {
      const { role, must_enroll } = await refuseEndedSession(deps, stream.actor)
      for (const one of mine) {
        one.checkedAt = performance.now()
        if (role !== one.actor.admin.role || must_enroll) end(one, 'role_changed')
      }
      checks.worked()
    } catch (error) {
      if (error instanceof AppError) for (const one of mine) end(one, 'session_ended')
      else checks.failed(error)
    }
  }

  async function onRead({ fresh, moved, end: position }: News): Promise<void> {
    if (isDraining()) for (const stream of streams) end(stream, 'stopping')
    const now = performance.now()
    const isBurst = fresh.length > STREAM_GAP_MAX
    const named = new Set(fresh.flatMap(({ actor_id, target_id }) => [actor_id, target_id]))
    const isDue = ({ actor, checkedAt }: Stream) =>
      isBurst || named.has(actor.id) || named.has(actor.session_id) || now - checkedAt > CHECK_MS
    const due = Map.groupBy([...streams].filter(isDue), ({ actor }) => sessionOf(actor))
    await Promise.all([...due.values()].map((mine) => checking(() => check(mine))))
    const entries = isBurst ? resetFrame(position) : textOf(fresh)
    const isBeat = now - beatAt >= HEARTBEAT_MS
    if (isBeat) beatAt = now
    const others = Buffer.concat([movedText(moved), isBeat ? HEARTBEAT : NOTHING])
    const text = Buffer.concat([entries, others])
    for (const stream of streams) {
      // A stream that was opened during the checks begins after these entries.
      const news = stream.position < position ? text : others
      stream.position = position
      if (news.length > 0) send(stream, news)
    }
  }

  return {
    /**
     * Opens a stream to the answer that `begin` returns. It continues after the position `after`, and ends with its session or
     * service token. Throws 429 for too many streams of one.
     */
    async open(actor: Actor, after: number | undefined, begin: () => Writable): Promise<void> {
      if (users === 0) stopping = new AbortController()
      users += 1
      try {
        const tailNow = await following()
        // From here on nothing waits: streams that were asked for at the same moment are counted.
        const mine = [...streams].filter((one) => sessionOf(one.actor) === sessionOf(actor))
        if (mine.length >= STREAMS_PER_SESSION_MAX)
          throw tooManyRequests('Too many live streams are open.', RETRY_AFTER_SECONDS)
        const to = begin()
        const stream: Stream = { actor, to, position: tailNow.end, checkedAt: performance.now() }
        finished(to, () => {
          streams.delete(stream)
          leave()
        })
        to.write(beginning(tailNow, after, deps.now()))
        streams.add(stream)
      } catch (error) {
        leave()
        throw error
      }
    },
    /** Ends all streams. Their readers come back to another process, or to this one after its restart. */
    stop(): void {
      for (const stream of streams) end(stream, 'stopping')
    },
    size: () => streams.size,
    ended: ended.totals,
  }
}

function sessionOf({ session_id, id }: Actor): string {
  return session_id ?? id
}

/**
 * The beginning of a stream: the entries after the position `after`, or a `reset` if the tail does not reach back to it. The log
 * has no gaps. A position beyond its end is one of another database, such as the one before a restored backup.
 */
function beginning({ entries, end, moves }: LogTail, after: number | undefined, now: Date): Buffer {
  const from = after ?? recentPosition(entries, end, now)
  const missed = entries.filter(({ seq }) => seq > from)
  const isKnown = from <= end && missed.length === end - from
  const open = frameOf({ event: 'open', id: isKnown ? from : end, data: {} })
  if (!isKnown) return Buffer.concat([open, resetFrame(end)])
  // Nobody knows which rows a reader with a position has missed.
  const moved = after === undefined ? recentlyMoved(moves, now) : MOVED_KINDS
  return Buffer.concat([open, textOf(missed), movedText(moved)])
}

/** The position before the entries of the last seconds. */
function recentPosition(entries: readonly StreamedEntry[], end: number, now: Date): number {
  const first = entries.find(({ at }) => isRecent(at, now))
  return first === undefined ? end : first.seq - 1
}

function recentlyMoved(moves: LastMoves, now: Date): MovedKind[] {
  return MOVED_KINDS.filter((kind) => moves[kind].some((at) => isRecent(at, now)))
}

function isRecent(at: string | null, now: Date): boolean {
  return at !== null && now.getTime() - Date.parse(at) < RECENT_MS
}

function textOf(entries: readonly StreamedEntry[]): Buffer {
  return Buffer.concat(entries.map((entry) => frameOf({ event: 'entry', id: entry.seq, data: entry })))
}

function resetFrame(end: number): Buffer {
  return frameOf({ event: 'reset', id: end, data: {} })
}

function movedText(kinds: readonly MovedKind[]): Buffer {
  return kinds.length === 0 ? NOTHING : frameOf({ event: 'moved', data: { kinds } })
}

const NOTHING = Buffer.alloc(0)
const HEARTBEAT = Buffer.from(':\n\n')

/** A server-sent event. JSON has no line breaks. */
function frameOf({ event, id, data }: { event: string; id?: number; data: object }): Buffer {
  const head = event === 'open' || event === 'end' ? `retry: ${RETRY_MS}\n` : ''
  return Buffer.from(
    `${head}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  )
}
