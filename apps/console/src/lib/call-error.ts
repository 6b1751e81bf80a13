import type { FieldError } from '@switchboard/contract/wire/errors'

/** Cause of a call without an answer. */
export const UNREACHABLE = 'The server cannot be reached.'
/** The cause shown if a call got no answer while the server answers other calls. */
export const UNANSWERED = 'The server is up, but this call got no answer. A blocker in the browser may have stopped it.'

/**
 * A failed call, with its cause as the message. Without an answer, `status` is 0. `retryAfter` is the `Retry-After`
 * header in seconds.
 */
export class CallError extends Error {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: number | null

  constructor(message: string, failure: { status: number; body?: unknown; retryAfter?: number | null }) {
    super(message)
    this.name = 'CallError'
    this.status = failure.status
    this.body = failure.body
    this.retryAfter = failure.retryAfter ?? null
  }
}

/** Whether a retry can succeed: no answer, a timeout, a rate limit or a server error. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500
}

/** Whether the server was busy for a moment: it says when to call again. */
export function isBusy(error: unknown): boolean {
  return error instanceof CallError && error.status === 503 && error.retryAfter !== null
}

/** The status of an answer as a cause: "HTTP 500: Internal Server Error". HTTP/2 has no status text. */
export function statusMessage(status: number, statusText: string): string {
  return statusText === '' ? `HTTP ${status}` : `HTTP ${status}: ${statusText}`
}

/**
 * The message to show for an error. For a failed call, the server's own message: the `detail` of the answer (a list as
 * "location: message" items joined by commas), otherwise the `message`. Without both, `fallback` with the cause: "Login
 * failed (HTTP 502: Bad Gateway)". For any other error, only `fallback`.
 */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof CallError)) return fallback
  const message = error.status >= 400 ? serverMessage(error.body) : null
  return message ?? `${fallback} (${error.message})`
}

/**
 * The message of a failure that is shown away from its record. `sentence` names the record and the action and comes
 * first: "jo@example.com could not be deactivated. You cannot deactivate your own account."
 */
export function failureText(error: unknown, sentence: string): string {
  const message = messageOf(error, sentence)
  return message.startsWith(sentence) ? message : `${sentence} ${message}`
}

/**
 * Combined message for calls that failed together: the distinct messages, joined by "; ". Skips `null` among the
 * errors.
 */
export function messagesOf(errors: readonly unknown[], fallback: string): string {
  const messages = errors.filter((error) => error !== null).map((error) => messageOf(error, fallback))
  return [...new Set(messages)].join('; ')
}

/** Messages of a 422 by field name. */
export function fieldErrors(error: unknown): Record<string, string> {
  const detail = error instanceof CallError && error.status === 422 ? property(error.body, 'detail') : null
  if (!Array.isArray(detail)) return {}
  return Object.fromEntries(detail.map((item) => [location(item), String(property(item, 'msg'))]))
}

/** The `code` of a refusal; undefined without one, as in the answer of a proxy. */
export function errorCodeOf(error: unknown): unknown {
  return error instanceof CallError ? property(error.body, 'code') : undefined
}

function serverMessage(body: unknown): string | null {
  const detail = property(body, 'detail')
  if (typeof detail === 'string' && detail !== '') return detail
  if (Array.isArray(detail) && detail.length > 0) return detail.map(itemMessage).join(', ')
  const message = property(body, 'message')
  return typeof message === 'string' && message !== '' ? message : null
}

function itemMessage(item: unknown): string {
  return `${location(item)}: ${String(property(item, 'msg'))}`
}

/** Field name of an item of `detail`: `["body","email"]` is "email"; "field" for an empty path. */
function location(item: unknown): string {
  const loc = property(item, 'loc' satisfies keyof FieldError)
  const path = Array.isArray(loc) ? loc : []
  return (path[0] === 'body' ? path.slice(1) : path).join('.') || 'field'
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
