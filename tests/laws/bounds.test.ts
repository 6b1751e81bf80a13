import { ADMIN_API_ENDPOINTS } from '@switchboard/contract/admin-api'
import { AI_API_ENDPOINTS } from '@switchboard/contract/ai-api'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type $ZodType, toJSONSchema } from 'zod/v4/core'

const part = z.looseObject({})
/** Formats of a fixed or short length. */
const SHORT = new Set(['uuid', 'date', 'date-time'])

/** Paths to strings, lists and numbers without a maximum. */
function unboundedParts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const node = part.parse(schema)
  const inner = Object.entries(node).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.flatMap((each) => unboundedParts(each, path))
      : unboundedParts(value, key === 'properties' || key === 'items' ? path : `${path}.${key}`),
  )
  return isBounded(node) ? inner : [path, ...inner]
}

function isBounded(schema: z.infer<typeof part>): boolean {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return true
  const types = [schema['type']].flat()
  const isText = types.includes('string')
  if (isText && schema['maxLength'] === undefined && schema['pattern'] === undefined)
    return SHORT.has(String(schema['format']))
  if (types.includes('array') && schema['maxItems'] === undefined) return false
  const isNumber = types.includes('number') || types.includes('integer')
  if (isNumber) return schema['minimum'] !== undefined && schema['maximum'] !== undefined
  return true
}

const inputs = [...ADMIN_API_ENDPOINTS, ...AI_API_ENDPOINTS].flatMap(({ schema }) =>
  (['params', 'querystring', 'headers', 'body'] as const).flatMap((name): [string, $ZodType][] => {
    const input = schema[name]
    return input === undefined ? [] : [[`${schema.operationId} ${name}`, input]]
  }),
)

test.each(inputs)('every string, list and number of %s has a limit', (name, schema) => {
  expect(unboundedParts(toJSONSchema(schema, { io: 'input' }), name)).toEqual([])
})

test('a part without a limit is found', () => {
  const schema = z.object({ a: z.string(), b: z.array(z.int()), c: z.string().max(5), d: z.number().nullable() })
  expect(unboundedParts(toJSONSchema(schema, { io: 'input' }), 'x')).toEqual(['x.a', 'x.b', 'x.d'])
})
