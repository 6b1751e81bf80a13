import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { text } from '#src/wire/text.ts'
import { variableValues } from './variables.ts'

/** The live template and the tenant's addendum, rendered for the tenant as one text. */
export const tenantPrompt = z.object({
  /** Type of the template. */
  prompt_type: z.string(),
  /** Number of the live version of the template. */
  version: z.int(),
  /** Null without an addendum. */
  addendum_version: z.nullable(z.int()),
  /** The prompt. */
  rendered_content: z.string(),
})
export type TenantPrompt = z.infer<typeof tenantPrompt>

/** The rendered template and the rendered addendum as one text: the addendum begins after an empty line. */
export function promptText(template: string, addendum: string): string {
  return addendum === '' ? template : `${template.trimEnd()}\n\n${addendum}`
}

const params = z.strictObject({
  /** Type of the template, such as `general`. */
  prompt_type: text(50),
})

/**
 * The prompt of the tenant's assistants: the live template, then the tenant's addendum, both rendered with the tenant's
 * values and with the values that the caller passes for declared variables, as `variables[name]=value`. Needs a service
 * token with the scope `prompts:read` (`Authorization: Bearer`) and `tenant_id`, or an API key of the tenant
 * (`Authorization: Bearer` or `X-Api-Key`), for which `tenant_id` may be left out. The `ETag` changes with the text; a
 * matching `If-None-Match` is answered with 304, without rendering. 503 while the database is away: keep the last text.
 */
export const getTenantPrompt = endpoint('GET', '/v1/prompts/:prompt_type', {
  config: { public: true, apiKey: true },
  operationId: 'prompts.render',
  summary: 'The prompt of a tenant',
  tags: ['Prompts'],
  params,
  querystring: z.strictObject({
    /** Id of the tenant. A service token needs it; an API key belongs to a tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Values of declared variables by name, as `variables[name]=value`. A variable without one has its default. */
    variables: z.optional(variableValues),
  }),
  response: { 200: tenantPrompt, 304: z.null() },
})

/**
 * Values of declared variables for one prompt.
 * @example {"tenant_id":"0f8fad5b-d9cb-469f-a165-70867728950e","variables":{"current_heat_category_name":"pricing"}}
 */
export const renderTenantPromptBody = z.strictObject({
  /** Id of the tenant. A service token needs it; an API key belongs to a tenant. */
  tenant_id: z.optional(z.uuid()),
  /** Values of declared variables by name. A variable without one has its default. */
  variables: z.optional(variableValues),
})

/**
 * The same prompt for values that are too long or too private for an address, which proxies limit and log. The answer has
 * no `ETag`.
 */
export const renderTenantPrompt = endpoint('POST', '/v1/prompts/:prompt_type', {
  config: { public: true, apiKey: true, reads: true },
  operationId: 'prompts.render_with_variables',
  summary: 'The prompt of a tenant, with variables in the body',
  tags: ['Prompts'],
  params,
  body: renderTenantPromptBody,
  response: { 200: tenantPrompt },
})
