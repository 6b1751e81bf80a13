import { readdir, readFile } from 'node:fs/promises'
import { namedSchemas } from '@switchboard/server/http/openapi'
import { z } from 'zod'
import { $ZodObject, $ZodType } from 'zod/v4/core'
import { type Doc, exampleOf, fieldsOf, readDeclarations, textOf } from './doc-comments.ts'

/** The source of each call by its operation id, each schema with its source by its name, and the named texts and numbers. */
export type ContractDocs = {
  operations: ReadonlyMap<string, readonly Doc[]>
  schemas: ReadonlyMap<string, NamedSchema>
  constants: ReadonlyMap<string, string | number>
}

type NamedSchema = { schema: $ZodType; docs: readonly Doc[] }

/** Queries and headers are listed field by field. */
const LISTED = /Query$|Headers$/

/**
 * Reads names and doc comments of the contract's source once, for the descriptions in the OpenAPI documents. A line
 * `@example {…}` in the comment of a schema becomes its example. A body or an answer has the name of its constant, or of
 * its call: `ApiKeysRotateBody`. Throws when an example is not JSON.
 */
export function readContractDocs(): Promise<ContractDocs> {
  reading ??= readModules()
  return reading
}

let reading: Promise<ContractDocs> | undefined

const endpoint = z.object({
  schema: z.object({
    operationId: z.string(),
    body: z.instanceof($ZodType).optional(),
    response: z.record(z.string(), z.instanceof($ZodType)),
  }),
})
type Schema = z.infer<typeof endpoint>['schema']

async function readModules(): Promise<ContractDocs> {
  const folder = new URL('./', import.meta.resolve('@switchboard/contract/admin-api'))
  // Sorted, so that two builds of one commit write the same document.
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted()
  const sources = await Promise.all(
    files.map(async (file) => [file, await readFile(new URL(file, folder), 'utf8')] as const),
  )
  const operations = new Map<string, readonly Doc[]>()
  const schemas = new Map<string, NamedSchema>()
  const constants = new Map<string, string | number>()
  const calls: Schema[] = []
  const nameSchema = (schema: $ZodType, name: string, found: readonly Doc[]) => {
    const id = name.replace(/^./, (letter) => letter.toUpperCase())
    const [text, example] = [textOf(found[0]?.comment ?? ''), exampleOf(found[0]?.comment ?? '')]
    namedSchemas.add(schema, {
      id,
      ...(text !== '' && { description: text }),
      ...(example !== undefined && { examples: [example] }),
    })
    schemas.set(id, { schema, docs: found })
  }
  for (const [file, declarations] of readDeclarations(new Map(sources))) {
    const exports: Record<string, unknown> = await import(new URL(file, folder).href)
    for (const [name, doc] of declarations) {
      const value = exports[name]
      if (typeof value === 'string' || typeof value === 'number') constants.set(name, value)
      if (value instanceof $ZodObject && !LISTED.test(name)) nameSchema(value, name, [doc])
      for (const [part, { schema }] of endpointsIn(value)) {
        calls.push(schema)
        operations.set(schema.operationId, [...fieldsOf([doc], part ?? 'schema'), doc])
      }
    }
  }
  for (const { operationId, body, response } of calls) {
    const docs = operations.get(operationId) ?? []
    const name = operationId.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
    for (const [part, schema] of Object.entries({ body, ...response })) {
      const object = schema === undefined ? undefined : objectIn(schema)
      if (object === undefined || namedSchemas.has(object)) continue
      const partDocs = part === 'body' ? fieldsOf(docs, 'body') : fieldsOf(fieldsOf(docs, 'response'), part)
      const constant = constantOf(partDocs)
      const found = [...(constant === undefined ? [] : [constant.doc]), ...partDocs, ...docs]
      nameSchema(object, constant?.name ?? `${name}${SUFFIXES[part] ?? `Answer${part}`}`, found)
    }
  }
  return { operations, schemas, constants }
}

const SUFFIXES: Readonly<Record<string, string>> = { body: 'Body', 200: 'Answer', 201: 'Answer', 202: 'Answer' }

/** The endpoint that a constant of the contract is, or the endpoints of a list by their names in it. */
function endpointsIn(value: unknown): [string | null, z.infer<typeof endpoint>][] {
  const single = endpoint.safeParse(value)
  if (single.success) return [[null, single.data]]
  const parts = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  return parts.flatMap(([part, one]): [string, z.infer<typeof endpoint>][] => {
    const parsed = endpoint.safeParse(one)
    return parsed.success ? [[part, parsed.data]] : []
  })
}

/** An optional or nullable schema. */
const wrapper = z.object({ def: z.object({ innerType: z.instanceof($ZodType) }) })

/** The object that a body or an answer is, if it is not a list or a choice. */
function objectIn(schema: $ZodType): $ZodObject | undefined {
  if (schema instanceof $ZodObject) return schema
  const { data } = wrapper.safeParse(schema)
  return data === undefined ? undefined : objectIn(data.def.innerType)
}

/** The constant that is the schema of a body or an answer. */
function constantOf(docs: readonly Doc[]): { name: string; doc: Doc } | undefined {
  const [doc] = docs
  const [name, ...others] = doc?.names ?? []
  if (doc === undefined || name === undefined || others.length > 0 || doc.fields.size > 0) return undefined
  const constant = doc.resolve(name)
  return constant?.isFunction === false ? { name, doc: constant } : undefined
}
