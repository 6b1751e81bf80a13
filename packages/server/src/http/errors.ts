import { codeOfStatus, type ErrorCode, type FieldError } from '@switchboard/contract/wire/errors'
import { type Failure, failureOf } from '@switchboard/database/connection/failures'
import { CONSTRAINT_CODES, CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'

/** A refusal with a sentence for people (`detail`) and a code for programs. `extra` is added to the body, `headers` to the answer. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly statusCode: number
  readonly code: ErrorCode
  readonly headers: Readonly<Record<string, string>>
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    statusCode: number,
    detail: string,
    more: { code?: ErrorCode; headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(detail)
    this.statusCode = statusCode
    this.code = more.code ?? codeOfStatus(statusCode)
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

/** 409 for a value that another record has, as the unique constraint with this name refuses it. */
export function taken(constraint: string): AppError {
  const code = CONSTRAINT_CODES[constraint]
  return new AppError(409, CONSTRAINT_SENTENCES[constraint] ?? '', code === undefined ? {} : { code })
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
  if (code === '23505' && constraint in CONSTRAINT_SENTENCES) return taken(constraint)
  const failure = failureOf(error)
  return failure === null ? null : unavailable(FAILURE_SENTENCES[failure])
}

export const DATABASE_UNREACHABLE = 'The database cannot be reached. Try again in a moment.'

const FAILURE_SENTENCES: Readonly<Record<Failure, string>> = {
  busy: 'The server is busy. Try again in a moment.',
  unreachable: DATABASE_UNREACHABLE,
  read_only: 'The database accepts no changes at the moment. Try again in a moment.',
  disk_full: 'The database has no disk space left. Try again later.',
}
