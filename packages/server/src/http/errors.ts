import type { FieldError } from '@switchboard/contract/wire/errors'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'

/** A refusal with a sentence for people (`detail`). `extra` is added to the body, `headers` to the answer. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    statusCode: number,
    detail: string,
    more: { headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(detail)
    this.statusCode = statusCode
    this.headers = more.headers ?? {}
    this.extra = more.extra ?? {}
  }
}

/** 400 for a well-formed but invalid request. */
export function badRequest(detail: string): AppError {
  return new AppError(400, detail)
}

/** 401; the caller must sign in. */
export function unauthorized(detail: string): AppError {
  return new AppError(401, detail, { headers: { 'www-authenticate': 'Bearer' } })
}

/** 404 for a record that does not exist or is not visible to the caller: `notFound('Tenant')` is "Tenant not found". */
export function notFound(noun: string): AppError {
  return new AppError(404, `${noun} not found`)
}

/** 409 for a request that conflicts with the current state. */
export function conflict(detail: string): AppError {
  return new AppError(409, detail)
}

/** 412 for a stale `If-Match`; `extra` has the current record. */
export function stale(detail: string, extra: Record<string, unknown>): AppError {
  return new AppError(412, detail, { extra })
}

/** 422 for a field of the body that breaks a rule outside of the schema. */
export function invalidField(field: string, sentence: string): AppError {
  const detail: FieldError[] = [{ loc: ['body', field], msg: sentence, type: 'value_error' }]
  return new AppError(422, sentence, { extra: { detail } })
}

/** 429 with `Retry-After` in seconds. */
export function tooManyRequests(detail: string, retryAfterSeconds: number): AppError {
  return new AppError(429, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** 503 with `Retry-After`: the request may succeed in a moment. */
export function unavailable(detail: string): AppError {
  return new AppError(503, detail, { headers: { 'retry-after': '2' } })
}

/**
 * Turns an error of the database into a refusal: the sentence of a unique constraint (409), a busy or unreachable
 * database (503), or `null` for a bug.
 */
export function databaseError(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const constraint = 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
  if (code === '23505' && constraint in CONSTRAINT_SENTENCES) return conflict(CONSTRAINT_SENTENCES[constraint] ?? '')
  const sentence = CANNOT_WRITE[code]
  if (sentence !== undefined) return unavailable(sentence)
  if (BUSY.has(code) || BUSY_MESSAGE.test(error.message))
    return unavailable('The database is busy. Try again in a moment.')
  return isUnreachable(error) ? unavailable('The database cannot be reached. Try again in a moment.') : null
}

/**
 * Whether an error says that no database answered, or only a standby: none refused the statement. A full pool counts,
 * because connections that hang fill it.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isReadOnly = 'code' in error && error.code === READ_ONLY
  return isReadOnly || BUSY_MESSAGE.test(error.message) || isUnreachable(error)
}

function isUnreachable(error: Error): boolean {
  // Every address of the host was tried.
  if (error instanceof AggregateError) return error.errors.some((each) => each instanceof Error && isUnreachable(each))
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const isNetwork = 'syscall' in error && typeof error.syscall === 'string' && NETWORK_CALLS.has(error.syscall)
  return UNREACHABLE.has(code) || code.startsWith('08') || isNetwork || UNREACHABLE_MESSAGE.test(error.message)
}

// read_only_sql_transaction
const READ_ONLY = '25006'
// 53100 is disk_full.
const CANNOT_WRITE: Readonly<Record<string, string>> = {
  [READ_ONLY]: 'The database accepts no changes at the moment. Try again in a moment.',
  '53100': 'The database has no disk space left. Try again later.',
}
// query_canceled (statement timeout), transaction_timeout, lock_not_available, deadlock_detected, serialization_failure,
// too_many_connections
const BUSY = new Set(['57014', '25P04', '55P03', '40P01', '40001', '53300'])
// Message of node-postgres when the pool has no free connection in time; the error has no code.
const BUSY_MESSAGE = /^timeout exceeded when trying to connect/
const NETWORK_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'write'])
// admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout, idle_in_transaction_session_timeout
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '57P05', '25P03'])
// Errors of node-postgres without a code.
const UNREACHABLE_MESSAGE =
  /^(Query read timeout|Connection terminated|Client (has encountered a connection error|was closed)|timeout expired$)/
