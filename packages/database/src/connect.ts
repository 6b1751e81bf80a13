import { Kysely, type LogConfig, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import { nameMarkedStatements } from '#src/prepared.ts'
import { limitQueries } from '#src/query-timeout.ts'
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
  /** No limit of time at all: for migrations and commands, which may wait and take long. */
  isPatient?: boolean
  /** Told when a connection breaks, idle or in use; the next query opens another one. */
  onLost?: (error: Error) => void
  /** Told of every statement with its time; for measuring. */
  log?: LogConfig
}

/**
 * Opens a pool on `url`. Times come back as ISO 8601 text, `numeric` and `bigint` as numbers (ours are small).
 * Waiting for a connection ends after two seconds, a statement after five, a lock after two (design §6, Limits); a
 * server that does not answer at all is given up a second after it should have.
 */
export function connect(url: string, options: ConnectOptions = {}): Kysely<Database> {
  const { max = 10, statementTimeoutMs = 5_000, isPatient = false, log } = options
  const { onLost = (error: Error) => console.warn(error.message) } = options
  const limits = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 10_000,
  }
  const pool = new Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    ...(isPatient ? {} : limits),
    application_name: 'switchboard',
    options: '-c timezone=UTC',
    types: { getTypeParser },
  })
  pool.on('error', onLost)
  // The pool listens to idle connections alone; one that broke in the middle of a transaction would end the process.
  pool.on('connect', (client) => {
    client.on('error', onLost)
    nameMarkedStatements(client)
    limitQueries(client, isPatient ? undefined : statementTimeoutMs + 1_000)
  })
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), ...(log === undefined ? {} : { log }) })
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === TIMESTAMPTZ) return isoOf
  if (oid === DATE) return String
  if (oid === INT8 || oid === NUMERIC) return Number
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text')
}

/** Our connections speak UTC and our times have three digits at most: these need no calendar, which takes ten times as long. */
const USUAL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

function isoOf(text: string): string {
  const [, day, time, milliseconds = ''] = USUAL_TIME.exec(text) ?? []
  return day === undefined ? new Date(text).toISOString() : `${day}T${time}.${milliseconds.padEnd(3, '0')}Z`
}
