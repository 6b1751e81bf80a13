import { Kysely, type LogConfig, PostgresDialect } from 'kysely'
import { types } from 'pg'
import { parseDatabaseUrl } from './database-url.ts'
import { createPool, type PoolCounts } from './pool.ts'
import { START_MS } from '#src/start/until-started.ts'
import { NO_LIMITS } from './session-settings.ts'
import type { Database } from '#src/tables.ts'

/** PostgreSQL type ids (pg_type.oid). */
const INT8 = 20
const TIMESTAMPTZ = 1184
const NUMERIC = 1700
const DATE = 1082

export type ConnectOptions = {
  /** Most connections at once. */
  max?: number
  /** How long one statement may run, in milliseconds. */
  statementTimeoutMs?: number
  /** How long a caller waits for a connection, in milliseconds. */
  waitMs?: number
  /** No time limits: for migrations and commands. */
  isPatient?: boolean
  /** Whether `url` may lead through a transaction pooler: no prepared statements, and settings for each transaction. */
  isPooled?: boolean
  /** Called with the error of a broken connection, idle or in use; the next query opens another one. */
  onLost?: (error: Error) => void
  /** Called for each new connection. */
  onConnect?: () => void
  /** Called with every statement and its time, for measurements. */
  log?: LogConfig
}

/**
 * Opens a pool on `url`. Times come back as ISO 8601 text, `numeric` and `bigint` as numbers (ours are small). Waiting
 * for a connection ends after two seconds, a statement after five, a lock after two. A connection to an unresponsive
 * server is closed one second after the time limit of the statement. A patient pool has no such limits, and waits for a
 * connection until the patience of a start ends.
 */
export function connect(url: string, options: ConnectOptions = {}): Kysely<Database> {
  const { max = 10, statementTimeoutMs = 5_000, isPatient = false, isPooled = false, log } = options
  const { onLost = (error: Error) => console.warn(error.message), onConnect } = options
  // Set explicitly, because the role may have other limits.
  const limits = {
    statement_timeout: isPatient ? 0 : statementTimeoutMs,
    lock_timeout: isPatient ? 0 : 2_000,
    idle_in_transaction_session_timeout: isPatient ? 0 : 10_000,
  }
  const pool = createPool(parseDatabaseUrl(url), {
    max,
    isPooled,
    application_name: 'switchboard',
    settings: isPatient ? NO_LIMITS : limits,
    queryTimeoutMs: isPatient ? undefined : statementTimeoutMs + 1_000,
    patienceMs: isPatient ? START_MS : undefined,
    types: { getTypeParser },
    onLost,
    onConnect,
  })
  const kyselyWaiting = (waitMs?: number) => {
    const dialect = new PostgresDialect({ pool: { ...pool, connect: async () => await pool.connect(waitMs) } })
    return new Kysely<Database>({ dialect, ...(log === undefined ? {} : { log }) })
  }
  const db = kyselyWaiting(options.waitMs)
  pools.set(db, { counts: () => pool.counts(), kyselyWaiting })
  return db
}

/**
 * The same pool, for callers that wait up to `waitMs` milliseconds for a connection. Throws unless `db` is a pool, such
 * as for a transaction.
 */
export function withWait(db: Kysely<Database>, waitMs: number): Kysely<Database> {
  return poolOf(db).kyselyWaiting(waitMs)
}

type ConnectedPool = { counts: () => PoolCounts; kyselyWaiting: (waitMs: number) => Kysely<Database> }

const pools = new WeakMap<Kysely<Database>, ConnectedPool>()

/** The connections of a pool that `connect` has opened. Throws for another `db`, such as a transaction. */
export function poolCounts(db: Kysely<Database>): PoolCounts {
  return poolOf(db).counts()
}

function poolOf(db: Kysely<Database>): ConnectedPool {
  const pool = pools.get(db)
  if (pool === undefined) throw new Error('`connect` did not create this pool.')
  return pool
}

/** The types of `connect`, for the option `types` of node-postgres. */
export function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === TIMESTAMPTZ) return isoOf
  if (oid === DATE) return String
  if (oid === INT8 || oid === NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}

/** PostgreSQL's format of times in UTC, with at most three decimals. Parsing the text as a Date is ten times slower. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

function isoOf(text: string): string {
  const [, day, time, milliseconds = ''] = UTC_TIME.exec(text) ?? []
  return day === undefined ? new Date(text).toISOString() : `${day}T${time}.${milliseconds.padEnd(3, '0')}Z`
}
