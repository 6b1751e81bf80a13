import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { text } from '#src/wire/text.ts'

/** A template rendered for one tenant. */
export const tenantPrompt = z.object({
  prompt_type: z.string(),
  version: z.int(),
  rendered_content: z.string(),
})
export type TenantPrompt = z.infer<typeof tenantPrompt>

/**
 * The base prompt of the tenant's assistants: the live template, rendered with the tenant's goal,
 * business type and aggressiveness. Needs an API key of that tenant (`Authorization: Bearer` or `X-Api-Key`). The
 * `ETag` changes with the text; a matching `If-None-Match` is answered with 304.
 */
export const getTenantPrompt = endpoint('GET', '/v1/prompts/:prompt_type', {
  config: { public: true, apiKey: true },
  operationId: 'prompts.render',
  summary: 'The base prompt of a tenant',
  tags: ['Prompts'],
  params: z.strictObject({ prompt_type: text(50) }),
  querystring: z.strictObject({ tenant_id: z.uuid() }),
  response: { 200: tenantPrompt, 304: z.null() },
})
