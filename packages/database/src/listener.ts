import type { Kysely } from 'kysely'
import { Client } from 'pg'
import { parseDatabaseUrl } from './database-url.ts'
import { type Hearing, startHearing, UnheardError } from './hearing.ts'
import { pause } from './pause.ts'
import { IS_READ_ONLY } from './pool.ts'
import { startupOptions } from './session-settings.ts'
import type { Database } from './tables.ts'

/** How often the connection is asked whether it lives, and how long the answer may take, in milliseconds. */
const HEARTBEAT_MS = 250
const ANSWER_MS = 1_000
/**
 * Interval of the proofs by an announcement over another connection, in milliseconds. A proof fails when this
 * connection was left behind on a former primary.
 */
const PROOF_MS = 10_000
/** The wait before connecting again. */
const RECONNECT_MS = 200

export type Listener = {
  /**
   * The monotonic moment (`performance.now()`) up to which everything announced has been heard; minus infinity while
   * there is no connection. A cache trusted for a time after this moment is stale for at most this time.
   */
  heardUntil: () => number
  /**
   * The database's clock at a monotonic moment (`performance.now()`, by default now), in ms since the epoch: never less
   * than it truly is, more by one round trip at most.
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
}

type Heard = {
  onMessage: (payload: string) => void
  /** A connection (re)begins: earlier announcements may have been missed. */
  onConnect: () => void
  /** Called once for each reason in a row. */
  onLost: (error: unknown) => void
}

/**
 * Listens on a channel over a connection of its own until stopped: a lost connection is opened again, at the next host
 * of the URL. The connection counts as listening once an announcement over another connection has arrived. A heartbeat
 * goes over the same connection, and PostgreSQL delivers earlier announcements no later than its answer.
 */
export function listen({ url, db, channel, heartbeatMs = HEARTBEAT_MS }: Source, on: Heard): Listener {
  const { hosts, settings } = parseDatabaseUrl(url)
  let host = 0
  let heardUntil = Number.NEGATIVE_INFINITY
  let clock = { database: 0, at: 0 }
  let client: Client | undefined
  let lostBecause: string | undefined
  const stopping = new AbortController()

  const beat = async (connection: Client, { pid }: Hearing) => {
    const sentAt = performance.now()
    const { rows } = await connection.query<{ ms: string; pid: number; is_read_only: boolean }>(
      `select extract(epoch from clock_timestamp()) * 1000 as ms, pg_backend_pid() as pid, ${IS_READ_ONLY} as is_read_only`,
    )
    if (rows[0]?.pid !== pid) throw new UnheardError()
    if (rows[0].is_read_only) throw new Error('The server of the connection is read-only.')
    clock = { database: Number(rows[0].ms), at: sentAt }
    heardUntil = sentAt
  }

  const listenOnce = async () => {
    const connection = new Client({
      connectionString: hosts[host % hosts.length]?.connectionString,
      options: startupOptions(settings),
      connectionTimeoutMillis: 2_000,
      query_timeout: ANSWER_MS,
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
    const hearing = await startHearing(connection, channel)
    await hearing.prove(db)
    let provenAt = performance.now()
    on.onConnect()
    lostBecause = undefined
    for (;;) {
      await beat(connection, hearing)
      await pause(heartbeatMs, lost)
      lost.throwIfAborted()
      if (performance.now() - provenAt < PROOF_MS) continue
      provenAt = performance.now()
      // A failed announcement over a busy pool says nothing about this connection.
      hearing.prove(db).catch((error: unknown) => (error instanceof UnheardError ? ended.abort(error) : undefined))
    }
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce()
      } catch (error) {
        heardUntil = Number.NEGATIVE_INFINITY
        const reason = String(error)
        if (!stopping.signal.aborted && reason !== lostBecause) on.onLost(error)
        lostBecause = reason
        host += 1
        // Without waiting: a connection that does not answer does not say goodbye either.
        void client?.end()
        await pause(RECONNECT_MS, stopping.signal)
      }
    }
  }
  const running = run()

  return {
    heardUntil: () => heardUntil,
    databaseTime: (now = performance.now()) => clock.database + now - clock.at,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
