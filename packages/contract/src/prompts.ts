import * as z from 'zod/mini'
import { declaredVariables, VARIABLE_VALUE_MAX } from '#src/prompts/variables.ts'
import { aggressiveness } from '#src/tenants/aggressiveness.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { errorBody } from '#src/wire/errors.ts'
import { ifMatchHeaders } from '#src/wire/if-match.ts'
import { listQuery } from '#src/wire/lists.ts'
import { GOAL_MAX, TENANT_NAME_MAX, tenantType } from './tenants.ts'
import { SUBDOMAIN_MAX } from '#src/tenants/subdomain.ts'
import { anyText, moment, text, trimmedText } from '#src/wire/text.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** Longest template, in UTF-16 units. */
export const TEMPLATE_MAX = 50_000
/** Longest note of a version. */
export const NOTE_MAX = 200
/** Longest rendered text, in UTF-16 units. */
export const RENDERED_MAX = 200_000

/** Default goal in a preview. */
export const PREVIEW_GOAL_DEFAULT = 'assist you'

/** The value of each variable of every template. A tenant adds its custom fields, and a template its declared variables. */
export type PromptVariables = {
  goal: string
  tenant_type: z.infer<typeof tenantType>
  aggressiveness: number
  tenant_name: string
  subdomain: string
}

/** A saved version without its text: author, time and note. Versions are immutable. */
export const promptVersion = z.object({
  /** Id of the version. */
  id: z.uuid(),
  /** Type of the template. */
  prompt_type: z.string(),
  /** Number of the version: 1, 2, 3 … */
  version: z.int(),
  /** Note on the reason for the change. Empty without one. */
  note: z.string(),
  /** Size of the text, in bytes of UTF-8. */
  size: z.int(),
  /** Email address of the author. Null for the default template. */
  author_email: z.nullable(z.string()),
  /** The variables that callers may pass, by name, with their defaults. An addendum declares none. */
  declared_variables: z.record(z.string(), z.string()),
  /** Number of the version that this one restored. Null for an edit. */
  restored_from: z.nullable(z.int()),
  /** When the version was saved. */
  created_at: moment,
})
export type PromptVersion = z.infer<typeof promptVersion>

/** A version with its exact text. The newest version is live. An empty text: the tenant's addendum is removed. */
export const promptTemplate = z.extend(promptVersion, {
  /** Text of the version. */
  template: z.string(),
})
export type PromptTemplate = z.infer<typeof promptTemplate>

/** Sort order of the history: newest first only. */
export const PROMPT_VERSION_SORTS = ['-version'] as const
/** The tenant whose addendum is meant; without it, the base template. */
const owner = {
  /** The tenant whose addendum is meant. Without it, the base template. */
  tenant_id: z.optional(z.uuid()),
}
const querystring = z.strictObject(owner)
/** A page of the history of a template. */
export const promptVersionListQuery = listQuery(PROMPT_VERSION_SORTS, owner)
export type PromptVersionListQuery = z.infer<typeof promptVersionListQuery>

/** The answer to a blank template. */
export const EMPTY_TEMPLATE = 'The template cannot be empty.'
const isBlank = (value: string) => value.trim() === ''
const template = anyText(TEMPLATE_MAX).check(z.refine((value) => !isBlank(value), EMPTY_TEMPLATE))
const savedTemplate = anyText(TEMPLATE_MAX).check(z.refine((value) => value === '' || !isBlank(value), EMPTY_TEMPLATE))
const note = z.optional(trimmedText(NOTE_MAX))

/**
 * A new version of a template, with a note on the reason for the change. An empty text removes an addendum. Without
 * `declared_variables`, those of the live version stay.
 * @example {"template":"You {{ goal }}.","note":"Shorter"}
 */
export const savePromptBody = z.strictObject({
  /** Text of the new version. */
  template: savedTemplate,
  /** The variables that callers may pass, by name, with their defaults. Without it, those of the live version stay. */
  declared_variables: z.optional(declaredVariables),
  /** Note on the reason for the change. */
  note,
})
export type SavePromptBody = z.infer<typeof savePromptBody>

/** A note on the reason for the restoration. */
export const restorePromptBody = z.nullish(
  z.strictObject({
    /** Note on the reason for the restoration. */
    note,
  }),
)
export type RestorePromptBody = z.infer<typeof restorePromptBody>

/**
 * A template to render with these values.
 * @example {"template":"You {{ goal }}.","variables":{"goal":"assist you","current_heat_category_name":"general"}}
 */
export const previewPromptBody = z.strictObject({
  /** The template to render. */
  template,
  /** The variables that the template declares, with their defaults. Without it, those of the live base template. */
  declared_variables: z.optional(declaredVariables),
  /** Values that replace those of the console's preview, and values of declared variables. A tenant has its own values. */
  variables: z.optional(
    // Further names are declared variables.
    z.catchall(
      z.object({
        /** Value of `goal`. */
        goal: z.optional(anyText(GOAL_MAX)),
        /** Value of `tenant_type`. */
        tenant_type: z.optional(tenantType),
        /** Value of `aggressiveness`. */
        aggressiveness: z.optional(aggressiveness),
        /** Value of `tenant_name`. */
        tenant_name: z.optional(text(TENANT_NAME_MAX)),
        /** Value of `subdomain`. */
        subdomain: z.optional(text(SUBDOMAIN_MAX)),
      }),
      z.union([anyText(VARIABLE_VALUE_MAX), aggressiveness]),
    ),
  ),
  /** Tenant with the values to render. */
  tenant_id: z.optional(z.uuid()),
})
export type PreviewPromptBody = z.infer<typeof previewPromptBody>

/** First use of a variable; lines and columns count from 1. */
export const variableUse = z.object({
  /** Name of the variable. */
  name: z.string(),
  /** Line of its first use, from 1. */
  line: z.int(),
  /** Column of its first use, from 1. */
  column: z.int(),
})

/** A rendered template with the values of its variables. */
export const promptPreview = z.object({
  /** The rendered text. */
  rendered_content: z.string(),
  /** The rendered values. */
  variables: z.object({
    /** Rendered value of `goal`. */
    goal: z.string(),
    /** Rendered value of `tenant_type`. */
    tenant_type: tenantType,
    /** Rendered value of `aggressiveness`. */
    aggressiveness: z.number(),
    /** Rendered value of `tenant_name`. */
    tenant_name: z.string(),
    /** Rendered value of `subdomain`. */
    subdomain: z.string(),
    /** Rendered values of the declared variables by name. */
    declared_variables: z.record(z.string(), z.string()),
    /** Rendered values of the tenant's custom fields by name. */
    custom_fields: z.record(z.string(), z.string()),
  }),
  /** Variables without a value, which are rendered as empty text. */
  unknown_variables: z.array(variableUse),
  /** Whether the template uses `goal`. */
  uses_goal: z.boolean(),
})
export type PromptPreview = z.infer<typeof promptPreview>

/** The answer to an invalid template: `detail` is the reason, `line` and `column` (from 1) the place, if known. */
export const refusedTemplate = z.extend(errorBody, {
  /** Line of the mistake, from 1. Null if unknown. */
  line: z.optional(z.nullable(z.int())),
  /** Column of the mistake, from 1. Null if unknown. */
  column: z.optional(z.nullable(z.int())),
})

/** The answer to a stale `If-Match`: the live version with its author and its text. */
export const stalePrompt = z.extend(errorBody, {
  /** The live version. */
  current: promptTemplate,
})

const url = '/api/v1/admin/prompts'
const tags = ['Prompts']
const promptType = text(50)
const params = z.strictObject({
  /** Type of the template, such as `general`. */
  prompt_type: promptType,
})
/** The number of a version in a URL. */
export const versionNumber = wholeNumber(1, 2_147_483_647)
const versionParams = z.strictObject({
  /** Type of the template, such as `general`. */
  prompt_type: promptType,
  /** Number of the version. */
  version: versionNumber,
})

/**
 * The live version of every base template or, with `tenant_id`, of the tenant's addenda. Clients take `{prompts: [...]}`
 * as well.
 */
export const listPromptTemplates = endpoint('GET', `${url}/templates`, {
  config: { capability: 'view' },
  operationId: 'prompts.list',
  summary: 'List the live prompt templates',
  tags,
  querystring,
  response: {
    200: z.union([z.array(promptTemplate), z.object({ prompts: z.array(promptTemplate) })]),
  },
})

/** All types of templates. */
export const listPromptTypes = endpoint('GET', `${url}/types`, {
  config: { capability: 'view' },
  operationId: 'prompts.types',
  summary: 'List the prompt types',
  tags,
  response: {
    200: z.object({
      /** Types of templates. */
      prompt_types: z.array(z.string()),
    }),
  },
})

/**
 * Saves a new version and makes it live. 422 with line and column for an invalid template, 412 for a stale version. With
 * `tenant_id`, the version of the tenant's addendum; the base version of the first one is 0.
 */
export const savePromptTemplate = endpoint('PUT', `${url}/templates/:prompt_type`, {
  config: { capability: 'publish', confirmed: true },
  operationId: 'prompts.save',
  summary: 'Save a prompt template as a new version',
  tags,
  params,
  querystring,
  headers: ifMatchHeaders,
  body: savePromptBody,
  response: { 200: promptTemplate, 412: stalePrompt, 422: refusedTemplate },
})

/** Renders an unsaved template. 422 with line and column for an invalid template. */
export const previewPrompt = endpoint('POST', `${url}/preview`, {
  config: { capability: 'view', reads: true, limit: 'preview' },
  operationId: 'prompts.preview',
  summary: 'Render a prompt template',
  tags,
  body: previewPromptBody,
  response: { 200: promptPreview, 422: refusedTemplate },
})

/** Every saved version, newest first. */
export const listPromptVersions = endpoint('GET', `${url}/templates/:prompt_type/versions`, {
  config: { capability: 'view', limit: 'whole_list' },
  operationId: 'prompts.versions',
  summary: 'List the versions of a prompt template',
  tags,
  params,
  querystring: promptVersionListQuery,
  response: { 200: z.array(promptVersion) },
})

/** A version with its text. 404 for an unknown version. */
export const getPromptVersion = endpoint('GET', `${url}/templates/:prompt_type/versions/:version`, {
  config: { capability: 'view' },
  operationId: 'prompts.version',
  summary: 'One version of a prompt template',
  tags,
  params: versionParams,
  querystring,
  response: { 200: promptTemplate },
})

/** Saves the text of an old version as a new version. 409 if the live text is the same, 412 for a stale version. */
export const restorePromptVersion = endpoint('POST', `${url}/templates/:prompt_type/versions/:version/restore`, {
  config: { capability: 'publish', confirmed: true },
  operationId: 'prompts.restore',
  summary: 'Restore a version of a prompt template',
  tags,
  params: versionParams,
  querystring,
  headers: ifMatchHeaders,
  body: restorePromptBody,
  response: { 201: promptTemplate, 412: stalePrompt, 422: refusedTemplate },
})

/** How many tenants a change of this template reaches. */
export const getPromptReach = endpoint('GET', `${url}/templates/:prompt_type/reach`, {
  config: { capability: 'view' },
  operationId: 'prompts.reach',
  summary: 'How many active tenants use a prompt template',
  tags,
  params,
  response: {
    200: z.object({
      /** Number of active tenants whose prompts change with the template. */
      active_tenants: z.int(),
    }),
  },
})
