import { z } from 'zod'
import type { ContractDocs } from './contract-docs.ts'
import { type Doc, fieldsOf, sentenceOf, textOf } from './doc-comments.ts'
import { describeSchema } from './describe-schema.ts'

/** The parts of an OpenAPI document that `completeDocument` completes; the other parts do not change. */
const response = z.looseObject({
  description: z.string(),
  content: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
})
const parameter = z.looseObject({ name: z.string(), in: z.string(), description: z.string().optional() })
const operation = z.looseObject({
  operationId: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(parameter).optional(),
  responses: z.record(z.string(), response),
})
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
})
type Document = z.infer<typeof document>
type Operation = z.infer<typeof operation>

type DocumentOptions = { docs: ContractDocs; serverUrl: string }

/** Adds descriptions, headers, tags and the server to a generated OpenAPI document, and corrects the media types of errors. */
export function completeDocument(generated: object, { docs, serverUrl }: DocumentOptions): object {
  const { paths, ...rest } = document.parse(withPlainNames(generated))
  const items = Object.values(paths).flatMap((methods) => Object.values(methods))
  for (const item of items) {
    const operationDocs = docs.operations.get(item.operationId) ?? []
    const description = textOf(operationDocs.at(-1)?.comment ?? '')
    if (description !== '') item.description ??= description
    for (const field of item.parameters ?? []) describeParameter(field, operationDocs)
    describeSchema(item.requestBody, [...fieldsOf(operationDocs, 'body'), ...operationDocs])
    for (const [status, answer] of Object.entries(item.responses)) {
      completeResponse(item, status, answer)
      describeSchema(answer, [...fieldsOf(fieldsOf(operationDocs, 'response'), status), ...operationDocs])
    }
  }
  for (const [name, schema] of Object.entries(rest.components.schemas))
    describeSchema(schema, docs.schemas.get(name) ?? [])
  const tags = [...new Set(items.flatMap((item) => item.tags))]
  return withoutUnusedSchemas({
    ...rest,
    servers: [{ url: serverUrl }],
    tags: tags.toSorted().map((name) => ({ name, description: TAGS[name] ?? name })),
    paths: mergeConflictingPaths(paths),
  })
}

/** Only schemas of requests end in `Input`; no other schema has the name without it. */
function withPlainNames(generated: object): unknown {
  return JSON.parse(JSON.stringify(generated).replaceAll(/(?<=["/][A-Z]\w*)Input(?=")/g, ''))
}

const TAGS: Readonly<Record<string, string>> = {
  Activity: 'The audit log, its verification, and exports.',
  Analytics: 'Numbers of the dashboard.',
  'API keys': 'Keys of tenants: creation, rotation, use, and checks at a gateway.',
  Operations: 'Health of the process.',
  'Own account': 'Profile, password and sessions of the signed-in person.',
  'Service tokens': 'Access of programs to both APIs.',
  'Google Places': 'Look-ups of places on Google Maps.',
  Prompts: 'Base templates, their versions, and rendered prompts.',
  Search: 'The command palette.',
  'Sign-in': 'Sessions.',
  Tasks: 'Schedules of tenants, their runs, and pulled reviews.',
  Tenants: 'Client organizations.',
  Users: 'People of tenants, and those who run the console.',
}

/** The parts of an endpoint of the contract that have its parameters. */
const PLACES: Readonly<Record<string, string>> = { path: 'params', query: 'querystring', header: 'headers' }

/** A list has its filters in `filters`. A filter without a comment has the one of the field of the row. */
function describeParameter(field: z.infer<typeof parameter>, docs: readonly Doc[]): void {
  const parts = [...fieldsOf(docs, PLACES[field.in] ?? ''), ...fieldsOf(docs, 'filters'), ...docs]
  field.description ??= sentenceOf(fieldsOf([...parts, ...fieldsOf(docs, 'row')], field.name))
  describeSchema(field['schema'], [])
  // `variables[name]=value`
  if (isObjectSchema(field['schema'])) Object.assign(field, { style: 'deepObject', explode: true })
}

function isObjectSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'object'
}

const REQUEST_ID = header('Id of the request. The log line of the request has the same id.')
const ERROR_HEADERS = {
  'X-Request-Id': REQUEST_ID,
  'Retry-After': header('Seconds after which to try again, with 429 and 503.', 'integer'),
}
const PAGE_HEADERS = {
  Link: header('Neighboring pages, `rel="next"` and `rel="prev"` (RFC 8288).'),
  'X-Total-Count': header('Number of matching rows, "312"; "10000+" above the number that is counted exactly.'),
  'X-Page-Start': header('Number of matching rows before this page.', 'integer'),
}
const VERSIONED = { ETag: header('Version of the answer, for `If-None-Match`.') }
const KEY_OWNER = {
  'X-Tenant-Id': header('Id of the tenant that owns the key.'),
  'X-Api-Key-Id': header('Id of the key.'),
  'X-Key-Environment': header('Environment of the key: `live` or `test`.'),
  'X-Api-Key-Grace-Ends': header('Time until which a rotated key is accepted.'),
}

function hasPages({ parameters = [] }: Pick<Operation, 'parameters'>): boolean {
  return parameters.some(({ name }) => name === 'cursor')
}

function completeResponse(
  { operationId, parameters = [] }: Operation,
  status: string,
  answer: z.infer<typeof response>,
) {
  answer.description = DESCRIPTIONS[status] ?? DESCRIPTIONS[`${status.slice(0, 1)}XX`] ?? answer.description
  if (/^[45]/.test(status)) {
    const [schema] = Object.values(answer.content ?? {})
    answer.content = { 'application/json': schema }
    answer.headers = ERROR_HEADERS
    return
  }
  if (status === '204' || status === '302') delete answer.content
  answer.headers = {
    'X-Request-Id': REQUEST_ID,
    ...(hasPages({ parameters }) && PAGE_HEADERS),
    ...(operationId === 'keys.authorize' && KEY_OWNER),
    ...(status === '302' && { Location: header('Address to open.') }),
    ...(operationId === 'prompts.render' && VERSIONED),
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without a body.',
  302: 'A redirect of the browser.',
  304: 'Not modified.',
  412: 'The record has changed since the version in `If-Match`. `current` is the record now.',
  '4XX': 'Refused. `detail` is a sentence, or a list of invalid fields with status 422.',
  '5XX': 'Failed. With status 503 the same request may succeed later.',
}

function header(description: string, type: 'string' | 'integer' = 'string') {
  return { description, schema: { type } }
}

/**
 * OpenAPI treats `/api-keys/{tenant_id}` and `/api-keys/{key_id}` as a single path: both become `/api-keys/{id}`. A
 * longer path below keeps its own name.
 */
function mergeConflictingPaths(paths: Document['paths']): Document['paths'] {
  const merged: Document['paths'] = {}
  const groups = Map.groupBy(Object.keys(paths), (path) => path.replaceAll(/\{\w+\}/g, '{}'))
  for (const [shape, [first = '', ...others]] of groups) {
    const path = others.length === 0 ? first : shape.replaceAll('{}', '{id}')
    merged[path] = {}
    for (const own of [first, ...others])
      for (const [method, item] of Object.entries(paths[own] ?? {})) {
        merged[path][method] = item
        if (others.length > 0) for (const field of item.parameters ?? []) if (field.in === 'path') field.name = 'id'
      }
  }
  return merged
}

/**
 * Removes components without a reference. A removed component may have held the last reference to another component.
 */
function withoutUnusedSchemas<Full extends Pick<Document, 'components'>>(full: Full): Full {
  const { schemas, securitySchemes } = full.components
  const text = JSON.stringify(full)
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))
  for (const name of unused) delete schemas[name]
  for (const name of Object.keys(securitySchemes)) if (!text.includes(`{"${name}":[`)) delete securitySchemes[name]
  return unused.length === 0 ? full : withoutUnusedSchemas(full)
}
