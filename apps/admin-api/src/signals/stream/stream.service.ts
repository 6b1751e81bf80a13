import { Readable } from 'node:stream'
import {
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
import { followLog, type LogTail } from './log-tail.ts'

/** Interval of the comments that keep a quiet connection alive: proxies close one after 30 seconds and more. */
export const HEARTBEAT_MS = 15_000
/** A reader without a position has fetched its records within this time before. */
const RECENT_MS = 10_000
/** A reader with more unread bytes than this is too slow. All streams share the text of an entry. */
const UNREAD_MAX = 262_144
/** Sessions are checked at each change of their account, and after this time, because they end without one too. */
const CHECK_MS = 15_000
/** How long a reader waits before it opens the next stream, in milliseconds. */
const RETRY_MS = 2_000
const RETRY_AFTER_SECONDS = 30

/** An open stream. Its text has all entries up to `position`. */
type Stream = { actor: Actor; text: Readable; position: number; checkedAt: number }

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

  function end(stream: Stream, reason: StreamEndReason): void {
    if (!streams.delete(stream)) return
    ended.count(reason)
    if (reason === 'too_slow') deps.log.info({ admin_id: stream.actor.id }, 'a live screen read too slowly')
    stream.text.push(frameOf({ event: 'end', data: { reason } }))
    stream.text.push(null)
  }

  function send(stream: Stream, text: Buffer): void {
    if (stream.text.readableLength > UNREAD_MAX) end(stream, 'too_slow')
    else stream.text.push(text)
  }

  async function check(stream: Stream): Promise<void> {
    try {
      const { role, must_enroll } = await refuseEndedSession(deps, stream.actor)
      stream.checkedAt = performance.now()
      if (role !== stream.actor.admin.role || must_enroll) end(stream, 'role_changed')
      checks.worked()
    } catch (error) {
      if (error instanceof AppError) end(stream, 'session_ended')
      else checks.failed(error)
    }
  }

  async function onRead(fresh: readonly StreamedEntry[], position: number): Promise<void> {
    if (isDraining()) for (const stream of streams) end(stream, 'stopping')
    const now = performance.now()
    const isBurst = fresh.length > STREAM_GAP_MAX
    const named = new Set(fresh.flatMap(({ actor_id, target_id }) => [actor_id, target_id]))
    const isDue = ({ actor, checkedAt }: Stream) =>
      isBurst || named.has(actor.id) || named.has(actor.session_id) || now - checkedAt > CHECK_MS
    await Promise.all([...streams].filter(isDue).map((stream) => checking(() => check(stream))))
    const text = isBurst ? resetFrame(position) : textOf(fresh)
    for (const stream of streams) {
      // A stream that was opened during the checks begins after these entries.
      if (stream.position < position) send(stream, text)
      stream.position = position
    }
    if (now - beatAt < HEARTBEAT_MS) return
    beatAt = now
    for (const stream of streams) send(stream, HEARTBEAT)
  }

  return {
    /**
     * Opens a stream that continues after the position `after`. It ends with its session or service token. Throws 429 for
     * too many streams of one.
     */
    async open(actor: Actor, after: number | undefined): Promise<Readable> {
      const mine = [...streams].filter((one) => sessionOf(one.actor) === sessionOf(actor))
      if (mine.length >= STREAMS_PER_SESSION_MAX)
        throw tooManyRequests('Too many live streams are open.', RETRY_AFTER_SECONDS)
      if (users === 0) stopping = new AbortController()
      users += 1
      const following = (tail ??= followLog(deps, onRead, stopping.signal))
      try {
        const { entries, end: position } = await following
        const text = new Readable({ read: () => undefined })
        const stream: Stream = { actor, text, position, checkedAt: performance.now() }
        text.once('close', () => {
          streams.delete(stream)
          leave()
        })
        text.push(beginning(entries, position, after ?? recentPosition(entries, position, deps.now())))
        streams.add(stream)
        return text
      } catch (error) {
        if (tail === following) tail = null
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
function beginning(entries: readonly StreamedEntry[], end: number, after: number): Buffer {
  const missed = entries.filter(({ seq }) => seq > after)
  const isKnown = after <= end && missed.length === end - after
  const open = frameOf({ event: 'open', id: isKnown ? after : end, data: {} })
  return Buffer.concat([open, isKnown ? textOf(missed) : resetFrame(end)])
}

/** The position before the entries of the last seconds. */
function recentPosition(entries: readonly StreamedEntry[], end: number, now: Date): number {
  const first = entries.find(({ at }) => now.getTime() - Date.parse(at) < RECENT_MS)
  return first === undefined ? end : first.seq - 1
}

function textOf(entries: readonly StreamedEntry[]): Buffer {
  return Buffer.concat(entries.map((entry) => frameOf({ event: 'entry', id: entry.seq, data: entry })))
}

function resetFrame(end: number): Buffer {
  return frameOf({ event: 'reset', id: end, data: {} })
}

const HEARTBEAT = Buffer.from(':\n\n')

/** A server-sent event. JSON has no line breaks. */
function frameOf({ event, id, data }: { event: string; id?: number; data: object }): Buffer {
  const head = event === 'open' || event === 'end' ? `retry: ${RETRY_MS}\n` : ''
  return Buffer.from(
    `${head}${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  )
}
