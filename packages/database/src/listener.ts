import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { pause } from './pause.ts'

/** How often the connection is asked whether it lives, and how long the answer may take, in milliseconds. */
const HEARTBEAT_MS = 250
const ANSWER_MS = 1_000
/** The wait before connecting again. */
const RECONNECT_MS = 200

export type Listener = {
  /**
   * The monotonic moment (`performance.now()`) up to which everything announced has been heard; minus infinity while
   * there is no connection. Whoever trusts what it knows for a time after it is late by no more than that time.
   */
  heardUntil: () => number
  /**
   * The database's clock at a monotonic moment (`performance.now()`, by default now), in ms since the epoch: never less
   * than it truly is, more by one round trip at most.
   */
  databaseTime: (now?: number) => number
  stop: () => Promise<void>
}

type Heard = {
  onMessage: (payload: string) => void
  /** A connection (re)begins: whatever was announced before it may have been missed. */
  onConnect: () => void
  onLost: (error: unknown) => void
}

/**
 * Listens on a channel over a connection of its own, for as long as it takes: a lost one is opened again. A heartbeat
 * goes over the same connection, and PostgreSQL delivers what was announced before the heartbeat no later than its answer.
 */
export function listen(url: string, channel: string, { onMessage, onConnect, onLost }: Heard): Listener {
  let heardUntil = Number.NEGATIVE_INFINITY
  let clock = { database: 0, at: 0 }
  let client: Client | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  const beat = async (connection: Client) => {
    const sentAt = performance.now()
    const { rows } = await connection.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    clock = { database: Number(rows[0]?.ms), at: sentAt }
    heardUntil = sentAt
  }

  const listenOnce = async () => {
    const connection = new Client({
      connectionString: url,
      connectionTimeoutMillis: 2_000,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      application_name: 'switchboard listener',
    })
    client = connection
    const lost = Promise.withResolvers<never>()
    connection.on('error', lost.reject)
    connection.on('end', () => lost.reject(new Error('The connection has ended.')))
    connection.on('notification', ({ payload }) => onMessage(payload ?? ''))
    await Promise.race([connection.connect(), lost.promise])
    await connection.query(`listen ${connection.escapeIdentifier(channel)}`)
    onConnect()
    for (;;) {
      await Promise.race([beat(connection), lost.promise])
      await Promise.race([sleep(HEARTBEAT_MS, undefined, { signal }), lost.promise])
    }
  }

  const run = async () => {
    while (!signal.aborted) {
      try {
        await listenOnce()
      } catch (error) {
        heardUntil = Number.NEGATIVE_INFINITY
        if (!signal.aborted) onLost(error)
        // Without waiting: a connection that does not answer does not say goodbye either.
        void client?.end()
        await pause(RECONNECT_MS, signal)
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
