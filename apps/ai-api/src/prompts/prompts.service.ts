import { hash } from 'node:crypto'
import { promptText, type TenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import { type VariableValues, withDefaults } from '@switchboard/contract/prompts/variables'
import type { Renderer } from '@switchboard/prompts/renderer'
import { refuseUndeclared } from '@switchboard/prompts/undeclared'
import { AppError, notFound, unavailable } from '@switchboard/server/http/errors'
import { LRUCache } from 'lru-cache'
import { createBatchLoader } from '#src/batch-loader.ts'
import type { Changes } from '#src/changes.ts'
import type { Deps } from '#src/deps.ts'
import { createPromptCache, type LivePrompt, type RenderedPrompt } from './prompt-cache.ts'
import { type LiveTexts, liveTextsOf } from './prompts.queries.ts'

/** How long a text that could not be rendered is not tried again, in milliseconds, and how many such texts are known. */
const FAILED_MS = 5_000
const FAILED_MAX = 1_000
const NOT_RENDERED = 'The prompt cannot be rendered at the moment. Try again in a moment.'

/** A prompt of a tenant, with the values that the caller passes for declared variables. */
export type PromptRequest = { prompt_type: string; tenant_id: string; variables: VariableValues }

/** A rendered prompt; stale if it is the last one that could be rendered. */
export type PromptAnswer = RenderedPrompt & { result: 'cached' | 'rendered' | 'stale' }

export type PromptReader = ReturnType<typeof createPromptReader>
type Loaded = { live: LivePrompt; texts: LiveTexts }
/** The ETag of a text, and its key in the cache. */
type Tag = { etag: string; key: string }
type Found = { live: LivePrompt; texts?: LiveTexts }

/** Renders the prompts of tenants, and keeps each text until a version or a value changes. */
export function createPromptReader(
  { db, renderer, log }: Pick<Deps, 'db' | 'log'> & { renderer: Renderer },
  changes: Pick<Changes, 'areReceived' | 'isChangedSince' | 'tell'>,
) {
  const cache = createPromptCache(changes)
  const running = new Map<string, Promise<RenderedPrompt>>()
  const failed = new LRUCache<string, true>({ max: FAILED_MAX, ttl: FAILED_MS })

  const loadTenant = createBatchLoader(async (tenantIds) => {
    const sentAt = performance.now()
    const loaded = await liveTextsOf(db, tenantIds)
    return new Map(
      [...loaded].map(([tenantId, texts]) => {
        const live = new Map([...texts].map(([type, each]) => [type, liveOf(each)]))
        cache.keepLive(tenantId, live, sentAt)
        return [tenantId, { live, texts }]
      }),
    )
  })

  const load = async ({ prompt_type, tenant_id }: PromptRequest): Promise<Loaded> => {
    const loaded = await loadTenant(tenant_id)
    const [live, texts] = [loaded?.live.get(prompt_type), loaded?.texts.get(prompt_type)]
    if (live === undefined || texts === undefined) throw notFound('Prompt template')
    return { live, texts }
  }

  /** Renders a text once for all who ask at the same time. Throws 503. */
  const render = async (request: PromptRequest, { live, texts }: Loaded): Promise<RenderedPrompt> => {
    const tag = tagOf(live, request)
    if (failed.has(tag.etag)) throw unavailable(NOT_RENDERED)
    try {
      return await running.getOrInsertComputed(tag.etag, () => renderTexts(request, texts, tag))
    } finally {
      running.delete(tag.etag)
    }
  }

  const renderTexts = async (
    { prompt_type, tenant_id, variables }: PromptRequest,
    { template, version, addendum, addendum_version, declared_variables, values, custom_fields }: LiveTexts,
    { etag, key }: Tag,
  ): Promise<RenderedPrompt> => {
    const all = { ...custom_fields, ...withDefaults(declared_variables, variables), ...values }
    const rendered = async (text: string): Promise<string> => {
      const rendering = await renderer.render(text, all)
      if (rendering.ok) return rendering.text
      failed.set(etag, true)
      const { message: reason, line } = rendering
      log.error(
        { prompt_type, tenant_id, version, addendum_version, reason, line },
        `${text === template ? 'a base template' : 'an addendum'} could not be rendered`,
      )
      throw unavailable(NOT_RENDERED)
    }
    const hasAddendum = addendum !== null && addendum !== ''
    const [base, after] = await Promise.all([rendered(template), hasAddendum ? rendered(addendum) : ''])
    const prompt: TenantPrompt = {
      prompt_type,
      version,
      addendum_version: hasAddendum ? addendum_version : null,
      rendered_content: promptText(base, after),
    }
    const rendering = { etag, prompt, body: JSON.stringify(prompt) }
    cache.keepText(key, rendering)
    return rendering
  }

  const textOf = async (request: PromptRequest, { live, texts }: Found, { etag, key }: Tag): Promise<PromptAnswer> => {
    const last = cache.text(key)
    if (last?.etag === etag) return { result: 'cached', ...last }
    const loaded = texts === undefined ? await load(request) : { live, texts }
    try {
      return { result: 'rendered', ...(await render(request, loaded)) }
    } catch (error) {
      if (last === undefined || !(error instanceof AppError)) throw error
      return { result: 'stale', ...last }
    }
  }

  return {
    /**
     * Finds a prompt and the ETag of its current text, which `text` returns. `part` is where the request has its variables.
     * Throws 404, and 422 for a value of a variable that is not declared.
     */
    async find(request: PromptRequest, part: 'querystring' | 'body') {
      const cached = cache.live(request.tenant_id)?.get(request.prompt_type)
      const found: Found = cached === undefined ? await load(request) : { live: cached }
      refuseUndeclared(found.live.declared_variables, request.variables, part)
      const tag = tagOf(found.live, request)
      return {
        etag: tag.etag,
        /** Throws 503 if the text cannot be rendered and this process has no earlier one. */
        text: (): Promise<PromptAnswer> => textOf(request, found, tag),
      }
    },
  }
}

/** What decides about the text, hashed. */
function liveOf(texts: LiveTexts): LivePrompt {
  const { template: _, addendum: __, ...decisive } = texts
  return { stamp: shortHash(decisive), declared_variables: decisive.declared_variables }
}

function tagOf({ stamp }: LivePrompt, { prompt_type, tenant_id, variables }: PromptRequest): Tag {
  const names = Object.keys(variables).toSorted()
  const values = names.length === 0 ? '' : shortHash(names.map((name) => [name, variables[name]]))
  return { etag: `"${stamp}${values}"`, key: `${tenant_id} ${prompt_type} ${values}` }
}

function shortHash(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url')
}
