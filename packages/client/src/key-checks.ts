import type { components } from './ai-api.d.ts'
import { errorOf } from './errors.ts'
import { createLruCache } from './lru-cache.ts'
import type { AiApi } from './ai-api-client.ts'

const REMEMBERED_KEYS = 10_000
/** ai-api refuses longer texts in a body. No key is this long. */
const TEXT_MAX = 1_000

/** What ai-api says about a key. Any other refusal is about the token of the program, or comes from another server. */
const ABOUT_THE_KEY = ['Invalid API key', 'Origin not allowed']

/** An accepted key: its tenant, its id, its environment, and its end if it was rotated. `tenant` and `key` tell a service token more. */
export type VerifiedKey = components['schemas']['VerifiedKey']

/**
 * The answer to a caller with a key. `isStale`: accepted by an earlier check, because ai-api does not answer. `code`: why the
 * key is refused, which only a service token learns and the caller must not.
 */
export type KeyVerdict =
  | { allowed: true; key: VerifiedKey; isStale: boolean }
  | { allowed: false; status: number; detail: string; code: string | null }
type Refusal = Extract<KeyVerdict, { allowed: false }>

/** How long an accepted key is remembered. Both are 0 by default. Refusals are never remembered. */
export type KeyCaching = {
  /** Seconds for which an accepted key is not checked again. A key that is deactivated works this much longer. */
  cacheSeconds?: number
  /** Seconds for which a key stays accepted while ai-api or its database is away, counted from its last check. */
  staleIfErrorSeconds?: number
}

export type KeyChecks = ReturnType<typeof createKeyChecks>

export function createKeyChecks(
  api: AiApi,
  onError: (error: unknown) => void,
  { cacheSeconds = 0, staleIfErrorSeconds = 0 }: KeyCaching = {},
) {
  const accepted = createLruCache<{ key: VerifiedKey; checkedAt: number }>(REMEMBERED_KEYS)

  /** The verdict of an earlier check that is at most this many seconds old. */
  const remembered = (name: string, seconds: number): VerifiedKey | undefined => {
    const { key, checkedAt } = accepted.get(name) ?? {}
    if (key === undefined || checkedAt === undefined || Date.now() - checkedAt >= seconds * 1_000) return undefined
    const ends = [key.grace_ends_at, key.key?.expires_at ?? null]
    return ends.every((end) => end === null || Date.parse(end) > Date.now()) ? key : undefined
  }

  /** Checks a key, and the `Origin` of the request that brought it. Never throws: without an answer of ai-api, 503. */
  const verifyKey = async (secret: string | undefined, origin?: string): Promise<KeyVerdict> => {
    const name = await digestOf(JSON.stringify([origin, secret]))
    const cached = remembered(name, cacheSeconds)
    if (cached !== undefined) return { allowed: true, key: cached, isStale: false }
    const checkedAt = Date.now()
    try {
      const body = { api_key: (secret ?? '').slice(0, TEXT_MAX), ...(origin && { origin: origin.slice(0, TEXT_MAX) }) }
      const { data, error, response } = await api.POST('/v1/keys/verify', { body })
      if (data !== undefined) {
        accepted.set(name, { key: data, checkedAt })
        return { allowed: true, key: data, isStale: false }
      }
      const refusal = errorOf(error, response)
      if (!ABOUT_THE_KEY.includes(refusal.message)) throw refusal
      accepted.delete(name)
      const code = error !== undefined && 'code' in error ? (error.code ?? null) : null
      return { allowed: false, status: refusal.status, detail: refusal.message, code }
    } catch (error) {
      onError(error)
      const stale = remembered(name, staleIfErrorSeconds)
      if (stale !== undefined) return { allowed: true, key: stale, isStale: true }
      return { allowed: false, status: 503, detail: 'API keys cannot be checked at the moment.', code: null }
    }
  }

  return {
    verifyKey,
    /** Checks the key of a request: `X-Api-Key`, or without it `Authorization: Bearer`, as ai-api does for a gateway. */
    verifyRequest: async ({ headers }: { headers: Headers }): Promise<KeyVerdict> =>
      await verifyKey(...keyAndOrigin((name) => headers.get(name))),
  }
}

/** The secret and the origin in the headers of a request. */
export function keyAndOrigin(header: (name: string) => string | null): [secret: string | undefined, origin?: string] {
  const own = header('x-api-key')?.trim() ?? ''
  const secret = own === '' ? /^Bearer +(\S+)$/i.exec(header('authorization') ?? '')?.[1] : own
  const origin = header('origin')
  return origin === null ? [secret] : [secret, origin]
}

/** What a refused caller gets: `{"detail": "Invalid API key"}` with the status and headers of ai-api. */
export function refusalOf({ status, detail }: Refusal) {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (status === 503) headers['retry-after'] = '1'
  return { status, headers, body: JSON.stringify({ detail }) }
}

/** The same as a `Response`, for servers with the Fetch API. */
export function refusalResponse(refusal: Refusal): Response {
  const { body, ...init } = refusalOf(refusal)
  return new Response(body, init)
}

/** The cache holds no secrets. */
async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return String.fromCharCode(...new Uint8Array(digest))
}
