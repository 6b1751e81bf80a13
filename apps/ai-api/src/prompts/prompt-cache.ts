import type { TenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { DeclaredVariables } from '@switchboard/contract/prompts/variables'
import { LRUCache } from 'lru-cache'
import type { Changes } from '#src/changes.ts'

/** Maximum number of tenants whose live versions are cached. */
const TENANTS_MAX = 100_000
/** Maximum memory of all rendered texts, in bytes, and of a text beside its characters. */
const TEXTS_BYTES_MAX = 64 * 1_024 * 1_024
const TEXT_OVERHEAD_BYTES = 500

/** What decides about the text of a prompt, without the texts of its versions. */
export type LivePrompt = {
  /** Changes with the versions, the values of the tenant and the declared variables. */
  stamp: string
  declared_variables: DeclaredVariables
}

/** A rendered prompt, also as the JSON of its answer, with the ETag of what it was rendered from. */
export type RenderedPrompt = { etag: string; prompt: TenantPrompt; body: string }

/** The live versions of the prompts of a tenant, by type. */
export type LivePrompts = ReadonlyMap<string, LivePrompt>

/**
 * The live versions of the prompts of tenants, forgotten when one of them or the tenant changes, and the last rendered text
 * of each prompt. A text is current while its ETag is.
 */
export function createPromptCache(changes: Pick<Changes, 'areReceived' | 'isChangedSince' | 'tell'>) {
  const live = new LRUCache<string, LivePrompts>({ max: TENANTS_MAX })
  const texts = new LRUCache<string, RenderedPrompt>({
    maxSize: TEXTS_BYTES_MAX,
    sizeCalculation: ({ prompt, body }) => 2 * (prompt.rendered_content.length + body.length) + TEXT_OVERHEAD_BYTES,
  })

  changes.tell({
    invalidate(id, kind) {
      if (kind === 'prompt') live.clear()
      else if (kind === 'tenant') live.delete(id)
    },
    clear: () => live.clear(),
  })

  return {
    /** The live versions of the prompts of a tenant, while every change is received. */
    live: (tenantId: string): LivePrompts | undefined => (changes.areReceived() ? live.get(tenantId) : undefined),

    /** Caches versions that were read after a time (`performance.now()`), unless they may have changed since. */
    keepLive(tenantId: string, prompts: LivePrompts, sentAt: number): void {
      if (changes.areReceived() && !changes.isChangedSince(sentAt, [tenantId, ...prompts.keys()]))
        live.set(tenantId, prompts)
    },

    /** The last rendered text by its key, which may have been replaced by a newer one. */
    text: (key: string): RenderedPrompt | undefined => texts.get(key),
    keepText: (key: string, rendered: RenderedPrompt): void => void texts.set(key, rendered),
  }
}
