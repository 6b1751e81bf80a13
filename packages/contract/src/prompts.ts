import * as z from 'zod/mini'
import { aggressiveness } from '#src/tenants/aggressiveness.ts'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorBody, errorResponses } from '#src/wire/errors.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { listQuery } from '#src/wire/lists.ts'
import { GOAL_MAX, tenantType } from './tenants.ts'
import { moment, text } from '#src/wire/text.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** Longest template and note, in UTF-16 units, and the longest text that a template may render to. */
export const TEMPLATE_MAX = 50_000
export const NOTE_MAX = 200
export const RENDERED_MAX = 200_000

/** The only type of template today, and the name of its heat category. */
export const GENERAL_PROMPT = 'general'
/** Default goal in a preview. */
export const PREVIEW_GOAL_DEFAULT = 'assist you'

/** What a template may use: the first is the author's business, the others come by themselves. */
export const PROMPT_VARIABLES = ['goal', 'current_heat_category_name', 'tenant_type', 'aggressiveness'] as const
export type PromptVariables = {
  goal: string
  current_heat_category_name: typeof GENERAL_PROMPT
  tenant_type: z.infer<typeof tenantType>
  aggressiveness: number
}

/** One saved version, without its text: who saved it, when, and what they said. Versions never change. */
export const promptVersion = z.object({
  id: z.uuid(),
  prompt_type: z.string(),
  version: z.int(),
  note: z.string(),
  /** Bytes in UTF-8. */
  size: z.int(),
  /** Null for the version that came with the product. */
  author_email: z.nullable(z.string()),
  /** The version that this one repeats. */
  restored_from: z.nullable(z.int()),
  created_at: moment,
})
export type PromptVersion = z.infer<typeof promptVersion>

/** A version with its text, byte for byte as it was saved. The newest one is live. */
export const promptTemplate = z.extend(promptVersion, { template: z.string() })
export type PromptTemplate = z.infer<typeof promptTemplate>

/** Columns that the history can be sorted by: newest first, and no other way. */
export const PROMPT_VERSION_SORTS = ['-version'] as const
export const promptVersionListQuery = listQuery(PROMPT_VERSION_SORTS, {})
export type PromptVersionListQuery = z.infer<typeof promptVersionListQuery>

const template = text(TEMPLATE_MAX).check(z.refine((value) => value.trim() !== '', 'The template cannot be empty.'))
const note = z.optional(text(NOTE_MAX).check(z.trim()))

/**
 * A new version of a template, with a note on the reason for the change.
 * @example {"template":"You {{ goal }}.","note":"Shorter"}
 */
export const savePromptBody = z.strictObject({ template, note })
export type SavePromptBody = z.infer<typeof savePromptBody>

export const restorePromptBody = z.nullish(z.strictObject({ note }))
export type RestorePromptBody = z.infer<typeof restorePromptBody>

/**
 * A template to render with these values.
 * @example {"template":"You {{ goal }}.","variables":{"goal":"assist you","current_heat_category_name":"general"}}
 */
export const previewPromptBody = z.strictObject({
  template,
  variables: z.optional(
    z.strictObject({
      goal: z.optional(text(GOAL_MAX)),
      current_heat_category_name: z.optional(z.literal(GENERAL_PROMPT)),
      tenant_type: z.optional(tenantType),
      aggressiveness: z.optional(aggressiveness),
    }),
  ),
  /** Whose goal, business type and aggressiveness to take instead. */
  tenant_id: z.optional(z.uuid()),
})
export type PreviewPromptBody = z.infer<typeof previewPromptBody>

/** A variable where it is first used; lines and columns count from 1. */
export const variableUse = z.object({ name: z.string(), line: z.int(), column: z.int() })
export type VariableUse = z.infer<typeof variableUse>

export const promptPreview = z.object({
  rendered_content: z.string(),
  /** The values that it was rendered with. */
  variables: z.object({ goal: z.string(), tenant_type: tenantType, aggressiveness: z.number() }),
  /** Variables that nothing fills: they render as nothing. */
  unknown_variables: z.array(variableUse),
  uses_goal: z.boolean(),
})
export type PromptPreview = z.infer<typeof promptPreview>

/** The answer to a template that cannot be rendered: `detail` says why, `line` and `column` (from 1) where, if it is known. */
export const refusedTemplate = z.extend(errorBody, {
  line: z.optional(z.nullable(z.int())),
  column: z.optional(z.nullable(z.int())),
})

/** The answer to a stale `If-Match`: the version that is live now, with who saved it and its text. */
export const stalePrompt = z.extend(errorBody, { current: promptTemplate })
export type StalePrompt = z.infer<typeof stalePrompt>

const url = '/api/v1/admin/prompts'
const tags = ['Prompts']
const promptType = text(50)
const params = z.strictObject({ prompt_type: promptType })
/** The number of a version, as it stands in an address. */
export const versionNumber = wholeNumber(1, 2_147_483_647)
const versionParams = z.strictObject({ prompt_type: promptType, version: versionNumber })

/** The live version of every template. Clients take `{prompts: [...]}` as well. */
export const listPromptTemplates = {
  method: 'GET',
  url: `${url}/templates`,
  schema: {
    operationId: 'prompts.list',
    summary: 'List the live prompt templates',
    tags,
    response: {
      200: z.union([z.array(promptTemplate), z.object({ prompts: z.array(promptTemplate) })]),
      ...errorResponses,
    },
  },
} as const satisfies Endpoint

/** All types of templates. */
export const listPromptTypes = {
  method: 'GET',
  url: `${url}/types`,
  schema: {
    operationId: 'prompts.types',
    summary: 'List the prompt types',
    tags,
    response: { 200: z.object({ prompt_types: z.array(z.string()) }), ...errorResponses },
  },
} as const satisfies Endpoint

/** Saves a new version, which is live at once. 422 with line and column when it cannot be rendered, 412 when it is stale. */
export const savePromptTemplate = {
  method: 'PUT',
  url: `${url}/templates/:prompt_type`,
  schema: {
    operationId: 'prompts.save',
    summary: 'Save a prompt template as a new version',
    tags,
    params,
    headers: ifMatchHeaders,
    body: savePromptBody,
    response: { 200: promptTemplate, 412: stalePrompt, 422: refusedTemplate, ...errorResponses },
  },
} as const satisfies Endpoint

/** Renders a template that need not be saved. 422 with line and column when it cannot be. */
export const previewPrompt = {
  method: 'POST',
  url: `${url}/preview`,
  config: { reads: true, limit: 'preview' },
  schema: {
    operationId: 'prompts.preview',
    summary: 'Render a prompt template',
    tags,
    body: previewPromptBody,
    response: { 200: promptPreview, 422: refusedTemplate, ...errorResponses },
  },
} as const satisfies Endpoint

/** Every version that was ever saved, newest first. */
export const listPromptVersions = {
  method: 'GET',
  url: `${url}/templates/:prompt_type/versions`,
  config: { limit: 'whole_list' },
  schema: {
    operationId: 'prompts.versions',
    summary: 'List the versions of a prompt template',
    tags,
    params,
    querystring: promptVersionListQuery,
    response: { 200: z.array(promptVersion), ...errorResponses },
  },
} as const satisfies Endpoint

/** A version with its text. 404 without such a version. */
export const getPromptVersion = {
  method: 'GET',
  url: `${url}/templates/:prompt_type/versions/:version`,
  schema: {
    operationId: 'prompts.version',
    summary: 'One version of a prompt template',
    tags,
    params: versionParams,
    response: { 200: promptTemplate, ...errorResponses },
  },
} as const satisfies Endpoint

/** Saves the text of an old version as a new one. 409 when the live version has that text already, 412 when it is stale. */
export const restorePromptVersion = {
  method: 'POST',
  url: `${url}/templates/:prompt_type/versions/:version/restore`,
  schema: {
    operationId: 'prompts.restore',
    summary: 'Restore a version of a prompt template',
    tags,
    params: versionParams,
    headers: ifMatchHeaders,
    body: restorePromptBody,
    response: { 201: promptTemplate, 412: stalePrompt, 422: refusedTemplate, ...errorResponses },
  },
} as const satisfies Endpoint

/** How many tenants a change of this template reaches. */
export const getPromptReach = {
  method: 'GET',
  url: `${url}/templates/:prompt_type/reach`,
  schema: {
    operationId: 'prompts.reach',
    summary: 'How many active tenants use a prompt template',
    tags,
    params,
    response: { 200: z.object({ active_tenants: z.int() }), ...errorResponses },
  },
} as const satisfies Endpoint
