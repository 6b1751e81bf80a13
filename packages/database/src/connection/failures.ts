/**
 * Why a database failed: it is `busy` (or no connection was free in time), `unreachable` (the connection was refused or
 * lost, or there is no route), `read_only`, or its disk is full.
 */
export type Failure = 'busy' | 'unreachable' | 'read_only' | 'disk_full'

/** No connection was free in time, although the database can be reached. */
export class BusyError extends Error {
  override name = 'BusyError'
  constructor() {
    super('no connection was free in time')
  }
}

/** No host answered the attempt to connect. Has the same code as the error of the operating system. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
  readonly code = 'ETIMEDOUT'
  readonly syscall = 'connect'
  constructor() {
    super('it does not answer')
  }
}

/** The failure of the database that caused an error, or null for any other error, such as a wrong password. */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null
  // The error of a host with several addresses contains one error for each address.
  if (error instanceof AggregateError) return error.errors.map(failureOf).find((failure) => failure !== null) ?? null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code in FAILURES) return FAILURES[code] ?? null
  if (BUSY_MESSAGE.test(error.message)) return 'busy'
  const isNetwork = 'syscall' in error && typeof error.syscall === 'string' && NETWORK_CALLS.has(error.syscall)
  return isNetwork || code.startsWith('08') || LOST_MESSAGE.test(error.message) ? 'unreachable' : null
}

/** By SQLSTATE, or by the code of the operating system. */
const FAILURES: Readonly<Record<string, Failure>> = {
  // query_canceled (statement timeout), transaction_timeout, lock_not_available, deadlock_detected, serialization_failure
  '57014': 'busy',
  '25P04': 'busy',
  '55P03': 'busy',
  '40P01': 'busy',
  '40001': 'busy',
  // too_many_connections, idle_in_transaction_session_timeout
  '53300': 'busy',
  '25P03': 'busy',
  // The queue of new connections is full at the socket of PostgreSQL.
  EAGAIN: 'busy',
  // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '57P05': 'unreachable',
  // read_only_sql_transaction
  '25006': 'read_only',
  // disk_full
  '53100': 'disk_full',
}

const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'write'])

/**
 * Messages of node-postgres for a connection or a query that took too long, and for a connection that it closed for
 * this reason. Then the message of PgBouncer for a full pool, and that of a BusyError, because pg-boss copies only the
 * message.
 */
const BUSY_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired$|Query read timeout|Connection terminated$|Client was closed|query_wait_timeout|no connection was free in time$|no more connections allowed)/

/** Messages of node-postgres for a connection that has ended. */
const LOST_MESSAGE = /^(Connection terminated unexpectedly|Client has encountered a connection error)/
