import { GENERAL_PROMPT } from '@switchboard/contract/prompts/variables'
import { promptText, type TenantPrompt } from '@switchboard/contract/prompts/tenant-prompts'
import type { Renderer, TemplateValues } from '@switchboard/prompts/renderer'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { liveTextsFor } from './prompts.queries.ts'

/**
 * Renders the live template and the tenant's addendum. There is no cache: one indexed statement reads both, so a saved
 * text is live in every process after its commit. Throws 404, and an error when rendering
 * fails.
 */
export async function renderTenantPrompt(
  { db, renderer }: Pick<Deps, 'db'> & { renderer: Renderer },
  promptType: string,
  tenantId: string,
): Promise<TenantPrompt> {
  const live = await liveTextsFor(db, promptType, tenantId)
  if (live === undefined) throw notFound('Prompt template')
  const { version, template, addendum_version, addendum, custom_fields, ...values } = live
  const variables = { ...custom_fields, ...values, current_heat_category_name: GENERAL_PROMPT }
  const base = await rendered(renderer, template, variables, `Version ${version} of the template ${promptType}`)
  const head = { prompt_type: promptType, version }
  if (addendum === null || addendum === '') return { ...head, addendum_version: null, rendered_content: base }
  const own = await rendered(renderer, addendum, variables, `Version ${addendum_version} of an addendum`)
  return { ...head, addendum_version, rendered_content: promptText(base, own) }
}

/** `name` of the text, for the error in the log. */
async function rendered(
  renderer: Renderer,
  template: string,
  variables: TemplateValues,
  name: string,
): Promise<string> {
  const rendering = await renderer.render(template, variables)
  if (rendering.ok) return rendering.text
  const { line, message } = rendering
  throw new Error(`${name} fails in line ${line} for a tenant: ${message}`)
}
