import type { Kysely } from 'kysely'
import { Client } from 'pg'
import { clientConfigOf, parseDatabaseUrl } from './database-url.ts'
import { type Listening, startListening, NotificationLostError } from './notifications.ts'
import { pause } from '#src/pause.ts'
import { answeringSocket, CONNECT_MS, IS_READ_ONLY, isReadOnly } from './pool.ts'
import { NO_LIMITS, OUR_SETTINGS, startupOptions } from './session-settings.ts'
import type { Database } from '#src/tables.ts'

/** Interval of the heartbeat, and the longest wait for its answer or for an announcement, in milliseconds. */
const HEARTBEAT_MS = 250
const ANSWER_MS = 1_000
const ARRIVAL_MS = 1_000
/**
 * Interval of the proofs by an announcement over another connection, in milliseconds. A proof fails when this
 * connection was left behind on a former primary.
 */
const PROOF_MS = 10_000
/**
 * The machine was suspended if the wall clock has run ahead of the monotonic clock by more than this since a
 * heartbeat, in milliseconds.
 */
const SUSPENDED_MS = 200
/** The wait before a reconnect, in milliseconds. */
const RECONNECT_MS = 200

/**
 * The moment before a heartbeat, by the monotonic clock (`performance.now()`), the wall clock and the clock of the
 * database.
 */
export type Beat = { at: number; wall: number; database: number }

export type Listener = {
  /**
   * The monotonic time (`performance.now()`) up to which all announcements have arrived; minus infinity without a
   * connection, and until the first heartbeat after a suspension of the machine. A cache entry that is trusted for a
   * period after this time is stale for at most this period.
   */
  heardUntil: () => number
  /** The latest heartbeat, even of a lost connection; `at` is 0 before the first one. */
  lastBeat: () => Beat
  /**
   * The database's clock at a monotonic time (`performance.now()`, by default now), in ms since the epoch: at most one
   * round trip ahead of the true time, never behind.
   */
  databaseTime: (now?: number) => number
  stop: () => Promise<void>
}

type Source = {
  /** Leads to PostgreSQL itself. */
  url: string
  /** The same database over other connections, for the proofs. */
  db: Kysely<Database>
  channel: string
  heartbeatMs?: number
  /** The longest wait for the answer to a statement, and for an announcement to arrive, in milliseconds. */
  answerMs?: number
  arrivalMs?: number
}

type Callbacks = {
  onMessage: (payload: string) => void
  /** A new connection listens: announcements before it may be lost. */
  onConnect: () => void
  /** Called for a lost connection, once for each reason until a connection listens again. */
  onLost: (error: unknown) => void
}

/**
 * Listens on a channel over a separate connection until stopped. A lost connection is opened again, at the next host
 * of the URL. A connection counts as listening after an announcement over another connection has arrived. A heartbeat
 * goes over the same connection, and PostgreSQL delivers earlier announcements before its answer.
 */
export function listen({ url, db, channel, ...times }: Source, on: Callbacks): Listener {
  const { heartbeatMs = HEARTBEAT_MS, answerMs = ANSWER_MS, arrivalMs = ARRIVAL_MS } = times
  const database = parseDatabaseUrl(url)
  let host = 0
  let heardUntil = Number.NEGATIVE_INFINITY
  let latest: Beat = { at: 0, wall: 0, database: 0 }
  let client: Client | undefined
  const reportedReasons = new Set<string>()
  const stopping = new AbortController()

  const beat = async (connection: Client, { pid }: Listening) => {
    const [sentAt, sentWall] = [performance.now(), Date.now()]
    const { rows } = await connection.query<{ ms: string; pid: number; is_read_only: boolean }>(
      `select extract(epoch from clock_timestamp()) * 1000 as ms, pg_backend_pid() as pid, ${IS_READ_ONLY} as is_read_only`,
    )
    if (rows[0]?.pid !== pid) throw new NotificationLostError()
    if (rows[0].is_read_only) throw new Error('The server of the connection is read-only.')
    latest = { at: sentAt, wall: sentWall, database: Number(rows[0].ms) }
    heardUntil = sentAt
  }

  const listenOnce = async () => {
    const connection = new Client({
      ...clientConfigOf(database, host),
      options: startupOptions({ ...NO_LIMITS, ...database.settings, ...OUR_SETTINGS }),
      stream: answeringSocket,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: answerMs,
      keepAlive: true,
      application_name: 'switchboard listener',
    })
    client = connection
    const ended = new AbortController()
    const lost = AbortSignal.any([ended.signal, stopping.signal])
    connection.on('error', (error) => ended.abort(error))
    connection.on('end', () => ended.abort(new Error('The connection has ended.')))
    connection.on('notification', (message) => {
      if (message.channel === channel) on.onMessage(message.payload ?? '')
    })
    await connection.connect()
    const listening = await startListening(connection, channel)
    await listening.prove(db, arrivalMs)
    let provenAt = performance.now()
    on.onConnect()
    reportedReasons.clear()
    for (;;) {
      await beat(connection, listening)
      await pause(heartbeatMs, lost)
      lost.throwIfAborted()
      if (performance.now() - provenAt < PROOF_MS) continue
      provenAt = performance.now()
      // An announcement that fails for another reason, such as a busy pool, says nothing about this connection.
      listening.prove(db, arrivalMs).catch((error: unknown) => {
        if (error instanceof NotificationLostError || isReadOnly(error)) ended.abort(error)
      })
    }
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce()
      } catch (error) {
        heardUntil = Number.NEGATIVE_INFINITY
        const reason = String(error)
        if (!stopping.signal.aborted && !reportedReasons.has(reason)) on.onLost(error)
        reportedReasons.add(reason)
        host += 1
        // Without waiting: the end of a broken connection may never be acknowledged.
        void client?.end()
        await pause(RECONNECT_MS, stopping.signal)
      }
    }
  }
  const running = run()
  /** The monotonic clock pauses while the machine is suspended. */
  const wasSuspended = () => Date.now() - latest.wall - (performance.now() - latest.at) > SUSPENDED_MS

  return {
    heardUntil: () => (wasSuspended() ? Number.NEGATIVE_INFINITY : heardUntil),
    lastBeat: () => latest,
    databaseTime: (now = performance.now()) => latest.database + now - latest.at,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
