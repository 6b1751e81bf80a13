import { z } from 'zod'
import { markdown, safe } from './markdown.ts'

// Schemas of an OpenAPI document as HTML, for the pages of the API reference.

const described = z.object({ description: z.string().default('') })
const jsonSchema = described.extend({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  const: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  required: z.array(z.string()).default([]),
  examples: z.array(z.unknown()).default([]),
})
type JsonSchema = z.infer<typeof jsonSchema>

/** An entry of a list: its name and what is said about it, as HTML. */
export type Entry = { name: string; note?: string | undefined; about: string[] }

/** A titled list; nothing without an entry. */
export function listOf(title: string, entries: Entry[], heading = 'h4'): string {
  if (entries.length === 0) return ''
  const lines = entries.map(({ name, note, about }) => {
    const small = note === undefined ? '' : ` <small>${note}</small>`
    return `<div><dt><code>${safe(name)}</code>${small}</dt><dd>${about.join('')}</dd></div>`
  })
  return `<${heading}>${title}</${heading}><dl>${lines.join('')}</dl>`
}

/** A named schema with its fields, its example and links to the calls that use it. */
export function schemaOf(name: string, part: unknown, links: string[]): string {
  const { description, properties, required, examples } = jsonSchema.parse(part)
  const [example] = examples
  return `<article id="${slug(name)}"><h3>${safe(name)}</h3>${markdown(description)}
${links.length === 0 ? '' : `<p class="type">Used by: ${links.join(', ')}</p>`}
${listOf('Fields', fieldsOf(properties ?? {}, required))}
<h4>Example</h4><pre tabindex="0" aria-label="Example of ${safe(name)}">${safe(JSON.stringify(example, null, 2))}</pre></article>`
}

/** The type of a field or a parameter, and its sentence. */
export function aboutOf(part: unknown, description: string): string[] {
  return [`<p class="type">${typeOf(part)}</p>`, markdown(description)]
}

/** The type of a schema, with a link to a named one, and what limits its values. */
export function typeOf(part: unknown): string {
  const schema = jsonSchema.parse(part)
  const { $ref, type, format, enum: values, items, anyOf, additionalProperties } = schema
  if ($ref !== undefined) return linkTo($ref)
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (schema.const !== undefined) return `<code>${safe(String(schema.const))}</code>`
  if (values !== undefined) return values.map((value) => `<code>${safe(String(value))}</code>`).join(' or ')
  if (type === 'array') return `list of ${typeOf(items)}${limitsOf(schema)}`
  if (type === 'object' && schema.properties === undefined && additionalProperties !== undefined)
    return `map of ${typeOf(additionalProperties)}`
  return `${safe(format ?? [type ?? 'any value'].flat().join(' or '))}${limitsOf(schema)}`
}

/** The text as the id of an element. */
export function slug(name: string): string {
  return name.replaceAll(/[^\w.-]+/g, '-')
}

function limitsOf({ pattern, ...schema }: JsonSchema): string {
  const limits = [
    rangeOf(schema.minimum, schema.maximum, ''),
    rangeOf(schema.minLength, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' entries'),
    pattern === undefined ? '' : `<code>${safe(pattern)}</code>`,
  ]
  return limits.map((limit) => (limit === '' ? '' : `, ${limit}`)).join('')
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  if (most === undefined) return `at least ${least}${unit}`
  return least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`
}

/** An entry for each field, also of objects inside, whose fields have names such as `shown.days`. */
function fieldsOf(properties: Record<string, unknown>, required: string[], prefix = ''): Entry[] {
  return Object.entries(properties).flatMap(([field, part]) => {
    const own = jsonSchema.parse(part)
    const inside = [own, own.items ?? {}, ...(own.anyOf ?? [])].map((one) => jsonSchema.parse(one))
    const name = `${prefix}${field}`
    return [
      { name, note: required.includes(field) ? undefined : 'optional', about: aboutOf(part, own.description) },
      ...inside.flatMap(({ properties: fields = {}, required: needed }) => fieldsOf(fields, needed, `${name}.`)),
    ]
  })
}

function linkTo(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  return `<a href="#${slug(name)}">${safe(name)}</a>`
}
