import type { FieldError } from '@switchboard/contract/errors'

/** A call that failed. `status` is 0 when no answer came; `retryAfter` is in seconds, from the header of that name. */
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

/**
 * The message of a failed answer (spec §8): its `detail`, a list as "location: message" items joined by commas;
 * otherwise its `message`; otherwise "HTTP {status}: {statusText}". HTTP/2 has no status text.
 */
export function answerMessage(status: number, statusText: string, body: unknown): string {
  const detail = property(body, 'detail')
  if (typeof detail === 'string' && detail !== '') return detail
  if (Array.isArray(detail) && detail.length > 0) return detail.map(itemMessage).join(', ')
  const message = property(body, 'message')
  if (typeof message === 'string' && message !== '') return message
  return statusText === '' ? `HTTP ${status}` : `HTTP ${status}: ${statusText}`
}

/** What to show of any error: the message of a failed call, or `fallback` for what is not one (spec §8). */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof CallError && error.message !== '' ? error.message : fallback
}

/** The messages of a 422 by the name of the field they speak of, so that each can stand beside it. */
export function fieldErrors(error: unknown): Record<string, string> {
  const detail = error instanceof CallError && error.status === 422 ? property(error.body, 'detail') : null
  if (!Array.isArray(detail)) return {}
  return Object.fromEntries(detail.map((item) => [location(item), String(property(item, 'msg'))]))
}

function itemMessage(item: unknown): string {
  return `${location(item)}: ${String(property(item, 'msg'))}`
}

/** Where an item of a `detail` list points: `["body","email"]` is "email"; "field" when it points nowhere. */
function location(item: unknown): string {
  const loc = property(item, 'loc' satisfies keyof FieldError)
  const path = Array.isArray(loc) ? loc : []
  return (path[0] === 'body' ? path.slice(1) : path).join('.') || 'field'
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
