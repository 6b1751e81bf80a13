import { ROLE_REFUSED } from '@switchboard/contract/auth/capabilities'
import { CONFIRMATION_REQUIRED } from '@switchboard/contract/auth/confirmed'
import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { ErrorCode } from '@switchboard/contract/wire/errors'
import { IDEMPOTENCY_KEY_HEADER } from '@switchboard/contract/wire/idempotency'
import { PAGE_START_HEADER, TOTAL_COUNT_HEADER } from '@switchboard/contract/wire/lists'
import * as z from 'zod/mini'
import { expireSession, reloadAdmin, requireEnrollment } from './session.ts'
import { storedToken } from './storage.ts'
import { CallError, messageOf, errorCodeOf, statusMessage, UNANSWERED, UNREACHABLE } from './call-error.ts'
import { askForConfirmation } from './confirmation.ts'
import { checkConnection, noteAnswer } from './connection.ts'
import { cursorsOf } from './link-header.ts'
import { noteOwnRequest, trackOwnChange, versionAfterOwnChanges } from './own-requests.ts'

/** Longer than any timeout of the servers, so that the server's own error arrives first. */
const TIMEOUT_MS = 30_000

const SIGNED_OUT = 'You are signed out.'
const NOT_UNDERSTOOD = 'The server gave an answer that this console does not understand.'

type Part<E extends Endpoint, Schema extends 'params' | 'querystring' | 'body', Name extends string> =
  E['schema'] extends Record<Schema, infer S extends z.core.$ZodType> ? Record<Name, z.output<S>> : unknown

/**
 * Input of an endpoint, from its schemas. `ifMatch` is the version under the change, `idempotencyKey` that of `callOnce`.
 * `isOptional` says that the console works without the answer, so that a proxy that refuses this call says nothing about the server.
 */
export type CallInput<E extends Endpoint> = Part<E, 'params', 'params'> &
  Part<E, 'querystring', 'query'> &
  Part<E, 'body', 'body'> & {
    ifMatch?: number
    idempotencyKey?: string
    signal?: AbortSignal
    token?: string
    isOptional?: boolean
  }

type Parts = {
  params?: unknown
  query?: unknown
  body?: unknown
  ifMatch?: number
  idempotencyKey?: string
  signal?: AbortSignal
  isOptional?: boolean
  /** Overrides the stored token, to end a session after the browser has removed the token. */
  token?: string
}

type Success = 200 | 201 | 202 | 204
export type Answer<E extends Endpoint> = {
  [Status in Success & keyof E['schema']['response']]: E['schema']['response'][Status] extends z.core.$ZodType
    ? z.output<E['schema']['response'][Status]>
    : never
}[Success & keyof E['schema']['response']]

/** One page of a list. `total` is the text of the server: "312", or "10000+" for more than 10,000. */
export type ListPage<Rows> = {
  rows: Rows
  total: string
  start: number
  next: string | null
  prev: string | null
  /** The same page with the changes of others, which waits to be shown. */
  offer?: Offer
}

/** Rows that others have added; 0 when rows have only moved or gone. `show` replaces the page on screen. */
export type Offer = { added: number; show: () => void }

/** Calls an endpoint and returns its parsed answer. Throws a `CallError`, also without an answer. */
export async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<E>> {
  return (await send(endpoint, input)).data
}

/** Calls the endpoint of a list and returns one page with the values of its headers. */
export async function callPage<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ListPage<Answer<E>>> {
  const { data, headers } = await send(endpoint, input)
  return {
    rows: data,
    total: headers.get(TOTAL_COUNT_HEADER) ?? '0',
    start: Number(headers.get(PAGE_START_HEADER) ?? 0),
    ...cursorsOf(headers.get('link')),
  }
}

/** Calls an endpoint that answers with a file. Returns after the headers of the answer. Throws a `CallError`. */
export async function callFile<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Response> {
  return await confirmed(async () => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS)
    try {
      return await answerOf(endpoint, input, timeout.signal)
    } finally {
      clearTimeout(timer)
    }
  })
}

type Sent<E extends Endpoint> = { data: Answer<E>; headers: Headers }

async function send<E extends Endpoint>(endpoint: E, input: Parts): Promise<Sent<E>> {
  if (endpoint.method === 'GET') return await parsed(endpoint, input)
  const { params, ifMatch } = input
  if (ifMatch === undefined) return await trackOwnChange(params, parsed(endpoint, input))
  const version = await versionAfterOwnChanges(Object.values(params ?? {}).at(-1), ifMatch)
  return await trackOwnChange(params, parsed(endpoint, { ...input, ifMatch: version }))
}

/** The answer to a call, as the schema of its status says. */
async function parsed<E extends Endpoint>(endpoint: E, input: Parts): Promise<Sent<E>> {
  const response = await confirmed(() => answerOf(endpoint, input, AbortSignal.timeout(TIMEOUT_MS)))
  const body = await bodyOf(response)
  const schema = endpoint.schema.response[response.status]
  const answer = schema && z.safeParse(schema, body)
  if (!answer?.success) throw new CallError(NOT_UNDERSTOOD, { status: response.status, body })
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the output of the schema in `Answer`
  return { data: answer.data as Answer<E>, headers: response.headers }
}

/**
 * Repeats a call that needs a confirmation after the admin has confirmed, with a new timeout. Throws the answer of the
 * server when the admin cancels.
 */
async function confirmed(attempt: () => Promise<Response>): Promise<Response> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (errorCodeOf(error) !== CONFIRMATION_REQUIRED || !(await askForConfirmation())) throw error
    }
  }
}

/** Throws a `CallError` for an error status. */
async function answerOf(endpoint: Endpoint, input: Parts, timeout: AbortSignal): Promise<Response> {
  const token = endpoint.config?.public ? null : (input.token ?? storedToken.get())
  // A page may start to fetch after its admin has signed out.
  if (token === null && !endpoint.config?.public) throw new CallError(SIGNED_OUT, { status: 401 })
  const response = await request(endpoint, input, token, timeout)
  // 502 to 504 may come from a proxy in front of an unreachable server.
  if (response.status < 502) noteAnswer(response)
  else if (input.isOptional !== true) void checkConnection()
  if (endpoint.method !== 'GET') noteOwnRequest(response.headers)
  if (response.ok) return response
  const body = await bodyOf(response)
  if (response.status === 401 && token !== null) expireSession(token)
  const error = new CallError(statusMessage(response.status, response.statusText), {
    status: response.status,
    body,
    retryAfter: retryAfterOf(response.headers),
  })
  if (errorCodeOf(error) === ('second_factor_required' satisfies ErrorCode)) requireEnrollment()
  // The role has changed since the page loaded: the buttons follow.
  if (response.status === 403 && messageOf(error, '') === ROLE_REFUSED) void reloadAdmin()
  throw error
}

async function request(
  endpoint: Endpoint,
  input: Parts,
  token: string | null,
  timeout: AbortSignal,
): Promise<Response> {
  const headers = new Headers({ accept: endpoint.schema.produces?.join(', ') ?? 'application/json' })
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  if (input.idempotencyKey !== undefined) headers.set(IDEMPOTENCY_KEY_HEADER, input.idempotencyKey)
  if (input.ifMatch !== undefined) headers.set('if-match', `"${input.ifMatch}"`)
  try {
    return await fetch(urlOf(endpoint.url, input), {
      method: endpoint.method,
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: input.signal ? AbortSignal.any([input.signal, timeout]) : timeout,
      credentials: endpoint.config?.cookie ? 'same-origin' : 'omit',
      // `keepalive` sends a sign-out even if the tab closes.
      keepalive: input.token !== undefined,
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    // A timeout means that the server is slow. Any other failure before an answer may be caused by a blocker.
    const isUp = !timeout.aborted && (await checkConnection())
    throw isUp ? new CallError(UNANSWERED, { status: 0 }) : unreachable()
  }
}

function unreachable(): CallError {
  void checkConnection()
  return new CallError(UNREACHABLE, { status: 0 })
}

function urlOf(template: string, { params, query }: Parts): string {
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(text(params, name)))
  const search = new URLSearchParams()
  for (const name of Object.keys(query ?? {})) {
    if (text(query, name) !== '') search.set(name, text(query, name))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

function text(of: unknown, name: string): string {
  const value: unknown = typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** The body of an answer as JSON; null without a body; text if a proxy answered with a page. */
async function bodyOf(response: Response): Promise<unknown> {
  let content = ''
  try {
    content = await response.text()
    return content === '' ? null : JSON.parse(content)
  } catch (error) {
    if (error instanceof SyntaxError) return content
    throw unreachable()
  }
}

function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isNaN(seconds) ? null : seconds
}
