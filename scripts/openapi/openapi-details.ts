import { IDEMPOTENCY_KEY_HEADER } from '@switchboard/contract/wire/idempotency'
import { PROBLEM_TYPE } from '@switchboard/contract/wire/errors'
import { z } from 'zod'
import type { ContractDocs } from './contract-docs.ts'
import { type Doc, fieldsOf, sentenceOf, textOf } from './doc-comments.ts'
import { addExamples } from './examples.ts'
import { describeSchema } from './describe-schema.ts'

/** The parts of an OpenAPI document that `completeDocument` completes; the other parts do not change. */
const response = z.looseObject({
  description: z.string(),
  content: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
})
const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  description: z.string().optional(),
  schema: z.looseObject({ type: z.unknown() }).optional(),
  explode: z.boolean().optional(),
})
const operation = z.looseObject({
  operationId: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(parameter).optional(),
  responses: z.record(z.string(), z.unknown()),
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
  const versioned = new Set(items.filter((item) => takes(item, 'if-match')).map(nounOf))
  for (const item of items) {
    const operationDocs = docs.operations.get(item.operationId) ?? []
    const description = textOf(operationDocs.at(-1)?.comment ?? '')
    if (description !== '') item.description ??= description
    for (const field of item.parameters ?? []) {
      describeParameter(field, operationDocs)
      // Several values of a parameter are separated by commas.
      if (field.in === 'query' && field.schema?.type === 'array') field.explode = false
    }
    describeSchema(item.requestBody, [...fieldsOf(operationDocs, 'body'), ...operationDocs])
    for (const [status, generatedAnswer] of Object.entries(item.responses)) {
      const answer = response.parse(generatedAnswer)
      describeSchema(answer, [...fieldsOf(fieldsOf(operationDocs, 'response'), status), ...operationDocs])
      item.responses[status] = completeResponse(item, status, answer, versioned)
    }
    for (const [status, { name }] of Object.entries(ERRORS))
      if (status in item.responses) item.responses[status] = { $ref: `#/components/responses/${name}` }
  }
  for (const [name, schema] of Object.entries(rest.components.schemas))
    describeSchema(schema, docs.schemas.get(name)?.docs ?? [])
  addExamples(rest.components.schemas)
  const tags = new Set(items.flatMap((item) => item.tags))
  const full = withoutUnused({
    ...rest,
    components: { ...rest.components, headers: HEADERS, responses: ERROR_ANSWERS },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (tags.has(name) ? { name, description } : [])),
    paths: mergeConflictingPaths(paths),
  })
  return withValues(full, docs.constants)
}

/** Sentences with the values of the constants that they name. */
function withValues(full: object, constants: ContractDocs['constants']): object {
  const text = JSON.stringify(full).replaceAll(/`([A-Z][A-Z_]+)`/g, (named, name: string) => {
    const value = constants.get(name)
    return typeof value === 'string' ? JSON.stringify(`"${value}"`).slice(1, -1) : `${value ?? named}`
  })
  return document.parse(JSON.parse(text))
}

/** Only schemas of requests end in `Input`; no other schema has the name without it. */
function withPlainNames(generated: object): unknown {
  return JSON.parse(JSON.stringify(generated).replaceAll(/(?<=["/][A-Z]\w*)Input(?=")/g, ''))
}

const TAGS: Readonly<Record<string, string>> = {
  Activity: 'The audit log, its verification, and exports.',
  Alerts: 'What needs attention, and who is told.',
  Analytics: 'Numbers of the dashboard.',
  'API keys': 'Keys of tenants: creation, rotation, use, and checks at a gateway.',
  Events: 'What happened, for programs that follow.',
  'Google Places': 'Look-ups of places on Google Maps.',
  Invitations: 'Links by which new people of the console choose their password.',
  'Log shipping': 'Places outside of the database that get the audit log.',
  Mail: 'The mails that the console sends.',
  Notes: 'Notes about tenants, for the people of the console.',
  Operations: 'Health of the process.',
  'Own account': 'Profile, password and sessions of the signed-in person.',
  Prompts: 'Base templates, their versions, and rendered prompts.',
  'Saved views': 'Named filters of the lists, for the signed-in person.',
  Search: 'The command palette.',
  'Second factors': 'Authenticator apps, passkeys and recovery codes of the signed-in person.',
  'Service tokens': 'Access of programs to both APIs.',
  'Sign-in': 'Sessions.',
  System: 'The parts of the installation, and the rules for sign-ins.',
  Tasks: 'Schedules of tenants, their runs, and pulled reviews.',
  Team: 'The people who run the console.',
  Tenants: 'Client organizations.',
  Users: 'People of tenants, and those who run the console.',
  Webhooks: 'Calls of other systems about events, their deliveries, and the call that runs a task.',
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

/** Headers of answers, by name. */
const HEADERS = {
  'X-Request-Id': header('Id of the request. The log line of the request has the same id.'),
  'Retry-After': header('Seconds after which to try again, with 429 and 503.', 'integer'),
  RateLimit: header(
    'Calls that the service token has left, and the seconds until they are renewed. Absent for sessions.',
  ),
  'RateLimit-Policy': header('Calls that a service token may make in a minute. Absent for sessions.'),
  'Idempotent-Replayed': header('`true`: the stored answer to an earlier call with the same `Idempotency-Key`.'),
  ETag: header('Version of the answer: a record takes it in `If-Match`, a prompt in `If-None-Match`.'),
  Link: header('Neighboring pages, `rel="next"` and `rel="prev"` (RFC 8288).'),
  'X-Total-Count': header('Number of matching rows, "312"; "10000+" above the number that is counted exactly.'),
  'X-Page-Start': header('Number of matching rows before this page.', 'integer'),
  'X-Tenant-Id': header('Id of the tenant that owns the key.'),
  'X-Api-Key-Id': header('Id of the key.'),
  'X-Key-Environment': header('Environment of the key: `live` or `test`.'),
  'X-Api-Key-Grace-Ends': header('Time until which a rotated key is accepted.'),
} as const
type HeaderName = keyof typeof HEADERS

const RATE_LIMIT = ['RateLimit', 'RateLimit-Policy'] as const
const PAGE = ['Link', 'X-Total-Count', 'X-Page-Start'] as const
const KEY_OWNER = ['X-Tenant-Id', 'X-Api-Key-Id', 'X-Key-Environment', 'X-Api-Key-Grace-Ends'] as const

/** The errors of every call, by the status that stands for them. */
const ERRORS = {
  '4XX': {
    name: 'Refused',
    description:
      'Refused. `detail` is a sentence, or a list of invalid fields with status 422. `code` names the error.',
  },
  '5XX': { name: 'Failed', description: 'Failed. With status 503 the same request may succeed later.' },
} as const

function headersOf(...names: (HeaderName | false)[]) {
  const present = names.filter((name) => name !== false)
  return Object.fromEntries(present.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function errorAnswer(description: string, schema: unknown, isProblem = true) {
  return {
    description,
    content: {
      'application/json': schema,
      ...(isProblem && { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } }),
    },
    headers: headersOf('X-Request-Id', 'Retry-After'),
  }
}

/** Names of records with versions: their calls take `If-Match`. */
type Versioned = ReadonlySet<string>

function nounOf({ operationId }: Operation): string {
  return operationId.split('.', 1)[0] ?? ''
}

function takes({ parameters = [] }: Operation, wanted: string): boolean {
  return parameters.some(({ name }) => name.toLowerCase() === wanted)
}

function completeResponse(item: Operation, status: string, answer: z.infer<typeof response>, versioned: Versioned) {
  if (/^[45]/.test(status)) {
    const [schema] = Object.values(answer.content ?? {})
    const description = DESCRIPTIONS[status] ?? 'Refused. `code` names the reason.'
    // The answer of a health check has no error in it.
    return errorAnswer(description, schema, !(nounOf(item) === 'health' && status === '503'))
  }
  const { operationId, security = [] } = item
  const hasVersion = takes(item, 'if-match') || (operationId.endsWith('.get') && versioned.has(nounOf(item)))
  const { content, ...rest } = answer
  return {
    ...rest,
    description: DESCRIPTIONS[status] ?? answer.description,
    ...(content !== undefined && status !== '204' && { content }),
    headers: headersOf(
      'X-Request-Id',
      ...(security.some((scheme) => 'bearer' in scheme) ? RATE_LIMIT : []),
      ...(takes(item, 'cursor') ? PAGE : []),
      takes(item, IDEMPOTENCY_KEY_HEADER) && 'Idempotent-Replayed',
      (hasVersion || operationId === 'prompts.render') && 'ETag',
      ...(operationId === 'keys.authorize' ? KEY_OWNER : []),
    ),
  }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'Success, without a body.',
  304: 'Not modified.',
  412: 'The record has changed since the version in `If-Match`. `current` is the record now.',
  503: 'Not ready.',
}

/** The errors of every call, as components. */
const ERROR_ANSWERS = Object.fromEntries(
  Object.values(ERRORS).map(({ name, description }) => [
    name,
    errorAnswer(description, { schema: { $ref: '#/components/schemas/ErrorBody' } }),
  ]),
)

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

type Components = Record<'schemas' | 'headers' | 'responses' | 'securitySchemes', Record<string, unknown>>

/**
 * Keeps the components with a reference. A removed component may have held the last reference to another component.
 */
function withoutUnused<Full extends { components: Components }>(full: Full): Full {
  const text = JSON.stringify(full)
  const { schemas, headers, responses, securitySchemes } = full.components
  const used = <Kind>(kind: string, all: Record<string, Kind>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)))
  const components = {
    ...full.components,
    schemas: used('schemas', schemas),
    headers: used('headers', headers),
    responses: used('responses', responses),
    securitySchemes: Object.fromEntries(
      Object.entries(securitySchemes).filter(([name]) => text.includes(`{"${name}":[`)),
    ),
  }
  const isComplete = JSON.stringify(components).length === JSON.stringify(full.components).length
  return isComplete ? full : withoutUnused({ ...full, components })
}
