import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './admin-api.d.ts'

/** Attempts of a call that finds no server, a busy server or a rate limit. */
const ATTEMPTS = 4
const FIRST_WAIT_MS = 500
/** Answers after which another attempt may succeed. */
const RETRYABLE = new Set([429, 502, 503, 504])

export type SwitchboardClient = Client<paths>
/** The types of bodies and answers by their names, such as `Schemas['Tenant']`. */
export type Schemas = components['schemas']

/** A refused or failed call. The message is the sentence of the server. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError'
  readonly status: number
  /** For the log of the server, if the call reached the server. */
  readonly requestId: string | null

  constructor(message: string, { status, headers }: Response) {
    super(message)
    this.status = status
    this.requestId = headers.get('x-request-id')
  }
}

/**
 * A client of admin-api. `url` is the address of the console, `token` a service token. Each POST gets an `Idempotency-Key`
 * unless the call has one, so that a repeated attempt takes effect once. A refused call throws a `SwitchboardError`.
 */
export function createSwitchboardClient({ url, token }: { url: string; token: string }): SwitchboardClient {
  const client: SwitchboardClient = createClient({
    baseUrl: url,
    headers: { authorization: `Bearer ${token}` },
    fetch: fetchPatiently,
  })
  client.use({
    onRequest: ({ request }) => {
      if (request.method === 'POST' && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID())
      return request
    },
    onResponse: async ({ response }) => {
      if (response.ok) return
      throw new SwitchboardError(sentenceOf(await errorBodyOf(response), response), response)
    },
  })
  return client
}

/** The data of a call. A refusal has already thrown. */
export async function dataOf<Data>(call: Promise<Result<Data>>): Promise<Exclude<Data, undefined>> {
  const result = await call
  if (!isAnswered(result)) throw new SwitchboardError(`Status ${result.response.status}`, result.response)
  return result.data
}

// Without `exactOptionalPropertyTypes`, TypeScript also infers the missing data of a refusal.
type Result<Data> = { data?: Data; error?: unknown; response: Response }
type Answered<Data> = { data: Exclude<Data, undefined>; response: Response }

function isAnswered<Data>(result: Result<Data>): result is Answered<Data> {
  return result.response.ok
}

/** A POST is repeated as well, because its key makes it take effect once. A PATCH is not: it may toggle a key. */
async function fetchPatiently(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === ATTEMPTS || request.method === 'PATCH'
    const answer = await fetch(request.clone()).catch((error: unknown) => {
      if (isLast || request.signal.aborted) throw error
      return null
    })
    if (answer !== null && (isLast || !isRetryable(answer))) return answer
    const seconds = Number(answer?.headers.get('retry-after') ?? 0)
    await new Promise((resolve) => setTimeout(resolve, Math.max(seconds * 1_000, FIRST_WAIT_MS * 2 ** (attempt - 1))))
  }
}

/** A 409 with `Retry-After` means that an earlier attempt of the same call is in progress. */
function isRetryable({ status, headers }: Response): boolean {
  return RETRYABLE.has(status) || (status === 409 && headers.has('retry-after'))
}

type ErrorBody = Schemas['ErrorBody']

async function errorBodyOf(response: Response): Promise<Partial<ErrorBody>> {
  // A proxy answers with its own page, whose status says enough.
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return {}
  const body: unknown = await response.json()
  return typeof body === 'object' && body !== null ? body : {}
}

/** The sentence of a refusal, or one sentence for each invalid field: "name: A token needs a name." */
function sentenceOf({ detail }: Partial<ErrorBody>, { status, statusText }: Response): string {
  if (typeof detail === 'string') return detail
  if (detail === undefined) return `${status} ${statusText}`
  return detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join(' ')
}
