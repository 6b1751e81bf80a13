import { Socket } from 'node:net'
import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg'
import { clientConfigOf, type DatabaseUrl } from './database-url.ts'
import { BusyError, failureOf, NoAnswerError } from './failures.ts'
import { queryWithin } from './query-timeout.ts'
import { type Session, sessionOf } from './session.ts'
import {
  NO_TRANSACTION_LIMIT,
  OUR_SETTINGS,
  type SessionSettings,
  settingsOfTransaction,
  startupOptions,
} from './session-settings.ts'

/**
 * How long a connection is kept, in seconds. When the name of the host leads to another server, as after a failover by
 * DNS, every connection has moved there by then.
 */
const LIFETIME_SECONDS = 60
/** How long a request waits for a connection, in milliseconds. */
const WAIT_MS = 2_000
/** How long a host may take to answer an attempt to connect, in milliseconds. After that it counts as unreachable. */
const ANSWER_MS = 2_000
/**
 * How long a new connection may take, in milliseconds. A busy machine is slow to open one. If its caller stops waiting,
 * the next caller gets the connection.
 */
export const CONNECT_MS = 10_000

/** An expression of SQL: whether this session cannot write, on a standby or where writing is switched off. */
export const IS_READ_ONLY = `(pg_is_in_recovery() or current_setting('transaction_read_only') = 'on')`

export type PoolOptions = Pick<PoolConfig, 'application_name' | 'types'> & {
  max: number
  /** Settings of every session, in addition to `OUR_SETTINGS`. The settings in the URL win. */
  settings: SessionSettings
  /** Time limit of a query in milliseconds; a late query loses its connection. */
  queryTimeoutMs?: number | undefined
  /**
   * Without the limits for requests: how long a new connection may take, and how long a caller waits for one by
   * default, in milliseconds.
   */
  patienceMs?: number | undefined
  /** Whether a transaction pooler may be in between. */
  isPooled?: boolean
  onLost: (error: Error) => void
  /** Called for each new connection. */
  onConnect?: (() => void) | undefined
}

/** Connections of a pool, callers that wait for one, and statements refused because the disk of PostgreSQL is full. */
export type PoolCounts = { max: number; inUse: number; waiting: number; diskFull: number }

/** A pool for Kysely over the hosts of `url`: a new connection goes to the first usable host. */
export function createPool(
  url: DatabaseUrl,
  { settings, queryTimeoutMs, patienceMs, isPooled = false, onLost, onConnect, ...config }: PoolOptions,
) {
  const merged = { ...settings, ...url.settings, ...OUR_SETTINGS }
  const options = {
    ...config,
    connectionTimeoutMillis: patienceMs ?? CONNECT_MS,
    stream: answeringSocket,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    ...(isPooled ? {} : { options: startupOptions(merged) }),
  }
  let diskFull = 0
  const sessionOptions = {
    queryTimeoutMs,
    settingsOfTransaction: isPooled ? settingsOfTransaction(merged) : undefined,
    onDiskFull: () => void (diskFull += 1),
  }
  const sessions = new WeakMap<PoolClient, Session>()
  const pools = url.hosts.map((_, host) => new Pool({ ...options, ...clientConfigOf(url, host) }))
  for (const pool of pools) {
    // Connections may still be closing after the end of the pool, when the server stops.
    const reportLost = (error: Error) => {
      if (!pool.ending) onLost(error)
    }
    pool.on('error', reportLost)
    // The pool only handles errors of idle connections. A connection lost in a transaction would end the process.
    pool.on('connect', (client) => {
      client.on('error', reportLost)
      onConnect?.()
    })
  }
  let current = 0
  let waiting = 0

  const sessionAt = async (host: number): Promise<Session> => {
    const client = await pools[host % pools.length]?.connect()
    if (client === undefined) throw new Error('The database has no host.')
    const existing = sessions.get(client)
    if (existing !== undefined) return existing
    if (url.isWritableOnly) await refuseReadOnly(client)
    if (!isPooled) await firstQuery(client, NO_TRANSACTION_LIMIT)
    const session = sessionOf(client, sessionOptions)
    sessions.set(client, session)
    return session
  }

  const connectToAny = async (): Promise<Session> => {
    const first = current
    for (let tries = 1; ; tries += 1) {
      try {
        const session = await sessionAt(first + tries - 1)
        current = (first + tries - 1) % pools.length
        return session
      } catch (error) {
        if (tries === pools.length || failureOf(error) === 'busy') throw error
      }
    }
  }

  /** Throws a BusyError after the wait. The next caller gets the connection. */
  const connect = async (waitMs = patienceMs ?? WAIT_MS): Promise<Session> => {
    const { promise, resolve, reject } = Promise.withResolvers<Session>()
    let isLate = false
    waiting += 1
    const timer = setTimeout(() => {
      isLate = true
      reject(new BusyError())
    }, waitMs)
    connectToAny().then((session) => (isLate ? session.release() : resolve(session)), reject)
    return await promise.finally(() => {
      clearTimeout(timer)
      waiting -= 1
    })
  }

  return {
    connect,
    options: {},
    counts(): PoolCounts {
      const sum = (countOf: (pool: Pool) => number) => pools.reduce((total, pool) => total + countOf(pool), 0)
      return {
        max: config.max,
        inUse: sum((pool) => pool.totalCount - pool.idleCount),
        waiting,
        diskFull,
      }
    },
    async end(): Promise<void> {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

/** A socket for a new connection. It fails if no host answers. */
export function answeringSocket(): Socket {
  const socket = new Socket()
  const timer = setTimeout(() => {
    // The answer may have arrived while the event loop was busy.
    setImmediate(() => {
      if (socket.connecting) socket.destroy(new NoAnswerError())
    })
  }, ANSWER_MS)
  return socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006'

/** A host takes no changes. Has the code of PostgreSQL for a refused change, so callers handle both alike. */
export class ReadOnlyError extends Error {
  override name = 'ReadOnlyError'
  readonly code = READ_ONLY
  constructor() {
    super('it is read-only')
  }
}

/** Whether a read-only server has refused a change. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READ_ONLY
}

async function refuseReadOnly(client: PoolClient): Promise<void> {
  const { rows } = await firstQuery(client, `select ${IS_READ_ONLY} as is_read_only`)
  if (rows[0]?.is_read_only === false) return
  client.release(true)
  throw new ReadOnlyError()
}

async function firstQuery(client: PoolClient, text: string): Promise<QueryResult> {
  try {
    return await queryWithin(client, { text }, ANSWER_MS)
  } catch (error) {
    client.release(true)
    throw error
  }
}
