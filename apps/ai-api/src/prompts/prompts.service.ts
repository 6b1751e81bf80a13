import { GENERAL_PROMPT } from '@switchboard/contract/prompts'
import type { TenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { Database } from '@switchboard/database/tables'
import type { Renderer } from '@switchboard/prompts/renderer'
import { notFound } from '@switchboard/server/http/errors'
import type { Kysely } from 'kysely'
import { liveTemplateFor } from './prompts.queries.ts'

/**
 * Renders the live template for a tenant. There is no cache: one indexed statement reads both, so a saved template is
 * live in every process after its commit. Throws 404, and an error when rendering fails.
 */
export async function renderTenantPrompt(
  { db, renderer }: { db: Kysely<Database>; renderer: Renderer },
  promptType: string,
  tenantId: string,
): Promise<TenantPrompt> {
  const live = await liveTemplateFor(db, promptType, tenantId)
  if (live === undefined) throw notFound('Prompt template')
  const { version, template, ...values } = live
  const rendering = await renderer.render(template, { ...values, current_heat_category_name: GENERAL_PROMPT })
  if (!rendering.ok) {
    const { line, message } = rendering
    throw new Error(`Version ${version} of the template ${promptType} fails in line ${line} for a tenant: ${message}`)
  }
  return { prompt_type: promptType, version, rendered_content: rendering.text }
}
