import type { FieldError } from '@switchboard/contract/wire/errors'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'

/** A refusal that people read: `detail` is its sentence. `extra` joins the body, `headers` the answer. */
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

/** 400 for what is well-formed but wrong. */
export function badRequest(detail: string): AppError {
  return new AppError(400, detail)
}

/** 401; the caller has to sign in (again). */
export function unauthorized(detail: string): AppError {
  return new AppError(401, detail, { headers: { 'www-authenticate': 'Bearer' } })
}

/** 404, the same whether the thing never was or is somebody else's: `notFound('Tenant')` says "Tenant not found". */
export function notFound(what: string): AppError {
  return new AppError(404, `${what} not found`)
}

/** 409 for what would break a rule as things stand. */
export function conflict(detail: string): AppError {
  return new AppError(409, detail)
}

/** 412 for a stale `If-Match`; `extra` carries what is there now. */
export function stale(detail: string, extra: Record<string, unknown>): AppError {
  return new AppError(412, detail, { extra })
}

/** 422 for one field of the body that a rule beyond its schema refuses. */
export function invalidField(field: string, sentence: string): AppError {
  const detail: FieldError[] = [{ loc: ['body', field], msg: sentence, type: 'value_error' }]
  return new AppError(422, sentence, { extra: { detail } })
}

/** 429 with the seconds after which to try again. */
export function tooManyRequests(detail: string, retryAfterSeconds: number): AppError {
  return new AppError(429, detail, { headers: { 'retry-after': String(retryAfterSeconds) } })
}

/** 503 for what may work in a moment. */
export function unavailable(detail: string): AppError {
  return new AppError(503, detail, { headers: { 'retry-after': '2' } })
}

/**
 * What an error of the database means to the caller: a unique constraint's sentence (409), a busy or unreachable
 * database (503), or `null` when it is a defect of ours.
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
  const isNetwork =
    'syscall' in error && (error.syscall === 'connect' || error.syscall === 'read' || error.syscall === 'write')
  if (UNREACHABLE.has(code) || code.startsWith('08') || isNetwork || UNREACHABLE_MESSAGE.test(error.message)) {
    return unavailable('The database cannot be reached. Try again in a moment.')
  }
  return null
}

// read_only_sql_transaction, disk_full
const CANNOT_WRITE: Readonly<Record<string, string>> = {
  '25006': 'The database takes no changes at the moment. Try again in a moment.',
  '53100': 'The database has no disk space left. Try again later.',
}
// query_canceled (statement timeout), lock_not_available, deadlock_detected, serialization_failure, too_many_connections
const BUSY = new Set(['57014', '55P03', '40P01', '40001', '53300'])
// The pool's own words, without a code, for no connection in time.
const BUSY_MESSAGE = /^timeout exceeded when trying to connect/
// admin_shutdown, crash_shutdown, cannot_connect_now, idle_in_transaction_session_timeout
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '25P03'])
// node-postgres gives these no code.
const UNREACHABLE_MESSAGE =
  /^(Query read timeout|Connection terminated|Client (has encountered a connection error|was closed))/
