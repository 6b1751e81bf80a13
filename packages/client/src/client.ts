import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './admin-api.d.ts'
import { errorOf } from './errors.ts'
import { patientFetch, wait } from './patient-fetch.ts'

export { SwitchboardError } from './errors.ts'

/** Answers after which another attempt may succeed. */
const RETRYABLE = new Set([429, 502, 503, 504])
/** The largest page of a list. */
const PAGE_LIMIT = 200

export type SwitchboardClient = Client<paths>
/** The types of bodies and answers by their names, such as `Schemas['Tenant']`. */
export type Schemas = components['schemas']

/**
 * A client of admin-api. `url` is the address of the console, `token` a service token, `timeoutMs` the time of one attempt
 * (a minute by default); a call may also have a `signal`. Each POST gets an `Idempotency-Key` unless the call has one, so
 * that a repeated attempt takes effect once. A refused call throws a `SwitchboardError`.
 */
export function createSwitchboardClient({
  url,
  token,
  timeoutMs = 60_000,
}: {
  url: string
  token: string
  timeoutMs?: number
}): SwitchboardClient {
  const client: SwitchboardClient = createClient({
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
    // admin-api takes the values of a filter separated by commas.
    querySerializer: { array: { style: 'form', explode: false } },
    fetch: patientFetch({ attempts: 4, firstWaitMs: 500, timeoutMs, isRetryable }),
  })
  client.use({
    onRequest: ({ request }) => {
      if (request.method === 'POST' && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID())
      return request
    },
    onResponse: async ({ response }) => {
      if (response.ok) return
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      throw errorOf(isJson ? await response.json() : null, response)
    },
  })
  return client
}

/** A 409 with `Retry-After` means that an earlier attempt of the same call is in progress. */
function isRetryable({ status, headers }: Response): boolean {
  return RETRYABLE.has(status) || (status === 409 && headers.has('retry-after'))
}

/** The data of a call. A refusal has already thrown. */
export async function dataOf<Data>(call: Promise<Result<Data>>): Promise<Exclude<Data, undefined>> {
  const result = await call
  if (!isAnswered(result)) throw errorOf(null, result.response)
  return result.data
}

/**
 * All rows of a list, page by page: `for await (const tenant of rowsOf((page) => client.GET('/api/v1/admin/tenants',
 * { params: { query: { ...page, status: 'active' } } })))`.
 */
export async function* rowsOf<Row>(
  getPage: (page: { limit: number; cursor?: string }) => Promise<Result<Row[]>>,
): AsyncGenerator<Row, void, undefined> {
  for (let cursor: string | null = ''; cursor !== null;) {
    const call = getPage({ limit: PAGE_LIMIT, ...(cursor !== '' && { cursor }) })
    yield* await dataOf(call)
    cursor = nextCursorOf((await call).response)
  }
}

/**
 * All events after the position `after`, oldest first, and then new ones as they happen: `for await (const event of
 * eventsOf((page) => client.GET('/api/v1/admin/events', { params: { query: page } }), { after }))`. Keep `event.seq`: it is
 * the position to start from after a restart. At the end of the log it asks every `everyMs` milliseconds, 5,000 by default,
 * until `signal` aborts; with `everyMs: null` it ends there.
 */
export async function* eventsOf(
  getPage: (page: { after: number; limit: number }) => Promise<Result<Schemas['EventPage']>>,
  { after = 0, everyMs = 5_000, signal }: { after?: number; everyMs?: number | null; signal?: AbortSignal } = {},
): AsyncGenerator<Schemas['Event'], void, undefined> {
  for (let position = after; ;) {
    if (signal?.aborted === true) return
    const { events, next, end } = await dataOf(getPage({ after: position, limit: PAGE_LIMIT }))
    yield* events
    position = next
    if (position < end) continue
    if (everyMs === null) return
    await wait(everyMs, signal)
  }
}

/** The cursor in the `Link` header of a page, or null after the last page. */
function nextCursorOf({ headers }: Response): string | null {
  const links = headers.get('link')?.split(', ') ?? []
  const next = links.find((link) => link.endsWith('>; rel="next"')) ?? ''
  return new URLSearchParams(next.slice(next.indexOf('?') + 1, next.lastIndexOf('>'))).get('cursor')
}

// Without `exactOptionalPropertyTypes`, TypeScript also infers the missing data of a refusal.
type Result<Data> = { data?: Data; error?: unknown; response: Response }
type Answered<Data> = { data: Exclude<Data, undefined>; response: Response }

function isAnswered<Data>(result: Result<Data>): result is Answered<Data> {
  return result.response.ok
}
