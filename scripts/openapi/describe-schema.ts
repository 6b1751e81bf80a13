import { z } from 'zod'
import { type Doc, fieldsOf, hasParameter, sentenceOf } from './doc-comments.ts'

const record = z.record(z.string(), z.unknown())

/** Formats that say more than the pattern beside them. */
const FORMATS = new Set<unknown>(['uuid', 'date-time', 'date', 'email', 'ipv4', 'ipv6'])
/** Places of schemas in a schema, a body or an answer. */
const NESTED = ['content', 'schema', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'prefixItems']
const MEDIA_TYPE = /^[\w-]+\/[\w.+*-]+$/

/**
 * Gives each property below `schema` its sentence from the contract, the source of which is in `docs`, and removes patterns
 * and bounds that say nothing. `schema` can be a body or an answer as well.
 */
export function describeSchema(schema: unknown, docs: readonly Doc[]): void {
  if (Array.isArray(schema)) for (const one of schema) describeSchema(one, docs)
  if (!isRecord(schema)) return
  if (FORMATS.has(schema['format'])) delete schema['pattern']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  const { properties } = schema
  if (isRecord(properties))
    for (const [name, property] of Object.entries(properties)) {
      const fields = fieldsOf(docs, name)
      const sentence = sentenceOf(fields)
      if (isRecord(property) && sentence !== undefined) property['description'] ??= sentence
      // In `group(tenant)`, the fields of the tenant are not below `first` but beside it.
      describeSchema(property, fields.some(hasParameter) ? [...fields, ...docs] : fields)
    }
  for (const [name, part] of Object.entries(schema))
    if (NESTED.includes(name) || MEDIA_TYPE.test(name)) describeSchema(part, docs)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return record.safeParse(value).success && !Array.isArray(value)
}
