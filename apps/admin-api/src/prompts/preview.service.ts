import { AGGRESSIVENESS_DEFAULT } from '@switchboard/contract/tenants/aggressiveness'
import {
  PREVIEW_GOAL_DEFAULT,
  type PreviewPromptBody,
  type PromptPreview,
  type PromptVariables,
} from '@switchboard/contract/prompts'
import { GENERAL_PROMPT, PROMPT_VARIABLES } from '@switchboard/contract/prompts/variables'
import type { Rendering } from '@switchboard/prompts/render-template'
import { AppError, notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { tenantValues, usedFieldNames } from './prompts.queries.ts'

/** Default values of a preview. */
const SAMPLE: PromptVariables = {
  goal: PREVIEW_GOAL_DEFAULT,
  current_heat_category_name: GENERAL_PROMPT,
  tenant_type: 'product',
  aggressiveness: AGGRESSIVENESS_DEFAULT,
  tenant_name: 'Example Company',
  subdomain: 'example-company',
}

/** Renders a template with free values or with a tenant's own. Throws 404 for the tenant, 422 for the template. */
export async function previewPrompt(
  { db, renderer }: Pick<Deps, 'db' | 'renderer'>,
  { template, variables, tenant_id }: PreviewPromptBody,
): Promise<PromptPreview> {
  const own = tenant_id === undefined ? {} : await tenantValues(db, tenant_id)
  if (own === undefined) throw notFound('Tenant')
  const {
    goal = SAMPLE.goal,
    tenant_type = SAMPLE.tenant_type,
    aggressiveness = SAMPLE.aggressiveness,
    tenant_name = SAMPLE.tenant_name,
    subdomain = SAMPLE.subdomain,
    custom_fields = {},
  } = {
    ...variables,
    ...own,
  }
  const values = { goal, tenant_type, aggressiveness, tenant_name, subdomain }
  const rendering = rendered(await renderer.render(template, { ...custom_fields, ...SAMPLE, ...values }))
  const named = rendering.variables.filter(({ name }) => !isKnown(name) && !(name in custom_fields))
  // Without a tenant, a custom field of any tenant is not reported as unknown.
  const fields = tenant_id === undefined ? await usedFieldNames(db, named) : []
  return {
    rendered_content: rendering.text,
    variables: { ...values, custom_fields },
    unknown_variables: named.filter(({ name }) => !fields.includes(name)),
    uses_goal: rendering.variables.some(({ name }) => name === 'goal'),
  }
}

function isKnown(name: string): boolean {
  const known: readonly string[] = PROMPT_VARIABLES
  return known.includes(name)
}

/** Throws 422 with line and column when a template cannot be rendered. */
export async function refuseUnrenderable({ renderer }: Pick<Deps, 'renderer'>, template: string): Promise<void> {
  rendered(await renderer.render(template, SAMPLE))
}

function rendered(rendering: Rendering): Extract<Rendering, { ok: true }> {
  if (rendering.ok) return rendering
  const { message, line, column } = rendering
  const msg = line === null ? `The template cannot be used: ${message}.` : `Line ${line}, column ${column}: ${message}.`
  const detail = [{ loc: ['body', 'template'], msg, type: 'template_error' }]
  throw new AppError(422, msg, { extra: { detail, line, column } })
}
