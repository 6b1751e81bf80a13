import { AGGRESSIVENESS_DEFAULT } from '@switchboard/contract/tenants/aggressiveness'
import {
  PREVIEW_GOAL_DEFAULT,
  type PreviewPromptBody,
  type PromptPreview,
  type PromptVariables,
} from '@switchboard/contract/prompts'
import {
  type DeclaredVariables,
  GENERAL_PROMPT,
  PROMPT_VARIABLES,
  withDefaults,
} from '@switchboard/contract/prompts/variables'
import type { Rendering } from '@switchboard/prompts/render-template'
import { refuseUndeclared } from '@switchboard/prompts/undeclared'
import { AppError, notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { liveTemplates, tenantValues, usedFieldNames } from './prompts.queries.ts'

/** Default values of a preview. */
const SAMPLE: PromptVariables = {
  goal: PREVIEW_GOAL_DEFAULT,
  tenant_type: 'product',
  aggressiveness: AGGRESSIVENESS_DEFAULT,
  tenant_name: 'Example Company',
  subdomain: 'example-company',
}

/**
 * Renders a template with free values or with a tenant's own, and with the given or default values of its declared
 * variables. Throws 404 for the tenant, 422 for the template and for a value of another variable.
 */
export async function previewPrompt(
  { db, renderer }: Pick<Deps, 'db' | 'renderer'>,
  { template, declared_variables, variables = {}, tenant_id }: PreviewPromptBody,
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
  const declared = declaredWith(declared_variables ?? (await liveDeclared(db)), variables)
  const known = { ...custom_fields, ...declared, ...values }
  const rendering = rendered(await renderer.render(template, known))
  const named = rendering.variables.filter(({ name }) => !Object.hasOwn(known, name))
  // Without a tenant, a custom field of any tenant is not reported as unknown.
  const fields = tenant_id === undefined ? await usedFieldNames(db, named) : []
  return {
    rendered_content: rendering.text,
    variables: { ...values, declared_variables: declared, custom_fields },
    unknown_variables: named.filter(({ name }) => !fields.includes(name)),
    uses_goal: rendering.variables.some(({ name }) => name === 'goal'),
  }
}

/** The variables that the live base template declares. */
async function liveDeclared(db: Deps['db']): Promise<DeclaredVariables> {
  const templates = await liveTemplates(db, null)
  return templates.find(({ prompt_type }) => prompt_type === GENERAL_PROMPT)?.declared_variables ?? {}
}

/** The declared variables with the passed values. Throws 422 for a value of another variable. */
function declaredWith(
  declared: DeclaredVariables,
  variables: NonNullable<PreviewPromptBody['variables']>,
): DeclaredVariables {
  const passed = Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => !isOfEveryTemplate(name))
      .map(([name, value]) => [name, String(value)]),
  )
  refuseUndeclared(declared, passed, 'body')
  return withDefaults(declared, passed)
}

function isOfEveryTemplate(name: string): boolean {
  const names: readonly string[] = PROMPT_VARIABLES
  return names.includes(name)
}

/** Throws 422 with line and column when a template cannot be rendered with the defaults of its variables. */
export async function refuseUnrenderable(
  { renderer }: Pick<Deps, 'renderer'>,
  template: string,
  declared: DeclaredVariables = {},
): Promise<void> {
  rendered(await renderer.render(template, { ...declared, ...SAMPLE }))
}

function rendered(rendering: Rendering): Extract<Rendering, { ok: true }> {
  if (rendering.ok) return rendering
  const { message, line, column } = rendering
  const msg = line === null ? `The template cannot be used: ${message}.` : `Line ${line}, column ${column}: ${message}.`
  const detail = [{ loc: ['body', 'template'], msg, type: 'template_error' }]
  throw new AppError(422, msg, { extra: { detail, line, column } })
}
