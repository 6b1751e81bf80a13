import type { components } from './ai-api.d.ts'
import { errorOf, SwitchboardError } from './errors.ts'
import { createLruCache } from './lru-cache.ts'
import type { AiApi } from './ai-api-client.ts'

const CACHED_PROMPTS = 10_000
/** A text that was not confirmed for this time is not served at once. */
const STALE_AT_ONCE_MS = 10 * 60 * 1_000
/** While a refresh runs, a cached text is served without another one. A worker may have ended the refresh unheard. */
const REFRESH_MS = 10_000
/** The same after a failure. */
const PAUSE_MS = 1_000

type TenantPrompt = components['schemas']['TenantPrompt']

/** The prompt of a tenant's assistant. The versions of a fallback are null. */
export type Prompt = {
  rendered_content: string
  version: number | null
  addendum_version: number | null
  source: 'server' | 'cache' | 'fallback'
}

export type PromptRequest = {
  /** Only a service token needs it, because an API key belongs to a tenant. */
  tenant_id?: string
  /** `general` by default. */
  prompt_type?: string
  /** Values of variables that the template declares; the others have their defaults. Each set of values has a cached text. */
  variables?: Record<string, string>
  /** The text while ai-api does not answer and no text is cached. */
  fallback?: string
  /** Keeps the program alive until the cache is refreshed, as `ctx.waitUntil` of a worker does. */
  waitUntil?: (work: Promise<unknown>) => void
}

export type PromptCaching = {
  /** Seconds for which a text is served without a call, 60 by default. After it, a new text is served from the second call on. */
  cacheSeconds?: number
}

type Entry = { prompt: TenantPrompt; etag: string | null; confirmedAt: number; pausedUntil: number }

export function createPrompts(
  api: AiApi,
  onError: (error: unknown) => void,
  { cacheSeconds = 60 }: PromptCaching = {},
) {
  const entries = createLruCache<Entry>(CACHED_PROMPTS)

  const load = async (
    name: string,
    entry: Entry | undefined,
    { tenant_id, prompt_type = 'general', variables }: PromptRequest,
  ): Promise<Prompt> => {
    const query = { ...(tenant_id !== undefined && { tenant_id }), ...(variables && { variables }) }
    const params = { path: { prompt_type }, query }
    const etag = entry?.etag ?? null
    const headers = etag === null ? {} : { 'if-none-match': etag }
    const confirmedAt = Date.now()
    try {
      const { data, error, response } = await api.GET('/v1/prompts/{prompt_type}', { params, headers })
      const prompt = response.status === 304 ? entry?.prompt : data
      if (prompt === undefined) throw errorOf(error, response)
      entries.set(name, { prompt, etag: response.headers.get('etag'), confirmedAt, pausedUntil: 0 })
      return { ...prompt, source: 'server' }
    } catch (error) {
      if (isRefusal(error)) entries.delete(name)
      else if (entry !== undefined) entry.pausedUntil = Date.now() + PAUSE_MS
      throw error
    }
  }

  return {
    /**
     * The prompt of a tenant. A cached text is served at once and refreshed in the background. While ai-api does not
     * answer, the last text is served, or the fallback. Throws when ai-api refuses, and without an answer and a text.
     */
    prompt: async (request: PromptRequest): Promise<Prompt> => {
      const name = JSON.stringify([request.tenant_id, request.prompt_type, request.variables])
      const entry = entries.get(name)
      const age = entry === undefined ? Number.POSITIVE_INFINITY : Date.now() - entry.confirmedAt
      if (entry !== undefined && (age < cacheSeconds * 1_000 || Date.now() < entry.pausedUntil)) return fromCache(entry)
      if (entry !== undefined) entry.pausedUntil = Date.now() + REFRESH_MS
      const loading = load(name, entry, request)
      if (entry !== undefined && age < STALE_AT_ONCE_MS) {
        const refreshed = loading.catch(onError)
        request.waitUntil?.(refreshed)
        return fromCache(entry)
      }
      try {
        return await loading
      } catch (error) {
        const text = entry === undefined ? fallbackOf(request) : fromCache(entry)
        if (text === undefined || isRefusal(error)) throw error
        onError(error)
        return text
      }
    },
  }
}

const fromCache = ({ prompt }: Entry): Prompt => ({ ...prompt, source: 'cache' })

function fallbackOf({ fallback }: PromptRequest): Prompt | undefined {
  if (fallback === undefined) return undefined
  return { rendered_content: fallback, version: null, addendum_version: null, source: 'fallback' }
}

/** Whether ai-api has judged the call: the credential, the tenant or the template is not accepted. */
function isRefusal(error: unknown): boolean {
  return error instanceof SwitchboardError && error.status < 500 && error.status !== 429
}
