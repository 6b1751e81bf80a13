import { z } from 'zod'
import { EXAMPLE_TEXTS } from './example-texts.ts'

const jsonSchema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  examples: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  propertyNames: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
})

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '5b0c7a1e-2f43-4d6a-9c1d-8e7f6a5b4c3d',
  'date-time': '2026-11-20T12:00:00.000Z',
  date: '2026-11-20',
  uri: 'https://api.example.com',
  email: 'jo@example.com',
  ipv4: '203.0.113.7',
}

/** Gives each schema an example, made of examples of its fields, unless the contract has one. */
export function addExamples(schemas: Record<string, unknown>): void {
  for (const schema of Object.values(schemas))
    if (typeof schema === 'object' && schema !== null && !('examples' in schema))
      Object.assign(schema, { examples: [exampleOf(schema, '', schemas)] })
}

function exampleOf(given: unknown, name: string, schemas: Record<string, unknown>): unknown {
  const schema = jsonSchema.parse(given)
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''], name, schemas)
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [choice] = schema.anyOf ?? schema.allOf ?? []
  if (choice !== undefined) return exampleOf(choice, name, schemas)
  const [type] = [schema.type].flat()
  if (type === 'object')
    return Object.fromEntries(fieldsOf(schema).map(([field, property]) => [field, exampleOf(property, field, schemas)]))
  if (type === 'array') return [exampleOf(schema.items, name, schemas)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number')
    return Math.min(schema.maximum ?? Infinity, Math.max(schema.minimum ?? -Infinity, 1))
  if (type === 'null') return null
  return FORMATS[schema.format ?? ''] ?? EXAMPLE_TEXTS[name] ?? name
}

/** The fields of an object, or the entries of a map with known names. */
function fieldsOf({
  properties,
  propertyNames,
  additionalProperties,
}: z.infer<typeof jsonSchema>): [string, unknown][] {
  if (properties !== undefined) return Object.entries(properties)
  return (propertyNames?.enum ?? []).map((name) => [name, additionalProperties])
}
