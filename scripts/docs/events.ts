import { exampleOf } from '@switchboard/contract/signals/event-examples'
import { EVENT_TYPES, eventType, type EventType } from '@switchboard/contract/signals/events'
import * as z from 'zod'
import { tableOf } from './tables.ts'

const EXAMPLE: EventType = 'tenant.suspended'

/** The example of an event, and the tables of all event types with the values of their changes. */
export function eventsPage(): string {
  const byNoun = Map.groupBy(eventType.options, (type) => type.split('.')[0] ?? '')
  const sections = [...byNoun].flatMap(([noun, types]) => [`## \`${noun}\``, tableOfTypes(types), ...valuesOf(types)])
  return [`\`\`\`json\n${JSON.stringify(exampleOf(EXAMPLE), null, 2)}\n\`\`\``, ...sections].join('\n\n')
}

function tableOfTypes(types: readonly EventType[]): string {
  const rows = types.map((type) => [`\`${type}\``, EVENT_TYPES[type].description, exampleText(type)])
  return tableOf(['type', 'what happened', 'example of its changes'], rows)
}

/** `status`: `"active"` → `"inactive"` */
function exampleText(type: EventType): string {
  const { changes, reason } = exampleOf(type)
  const texts = Object.entries(changes).map(([field, { before, after, is_omitted }]) =>
    is_omitted ? `\`${field}\`: left out` : `\`${field}\`: ${code(before)} → ${code(after)}`,
  )
  return [...texts, ...(reason === null ? [] : [`\`reason\` is ${code(reason)}`])].join('; ')
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``
}

/** The fields that changes of these types may have, with the types of their values. */
function valuesOf(types: readonly EventType[]): string[] {
  const fields = new Map(types.flatMap((type) => Object.entries(EVENT_TYPES[type].fields ?? {})))
  const texts = [...fields].map(
    ([field, schema]) => `\`${field}\` (${textOf(jsonSchema.parse(z.toJSONSchema(schema)))})`,
  )
  return texts.length === 0 ? [] : [`Changed fields, each of whose values may be null: ${texts.join(', ')}.`]
}

const jsonSchema = z.object({
  type: z.unknown().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).optional(),
  get anyOf() {
    return z.array(jsonSchema).optional()
  },
  get items() {
    return jsonSchema.optional()
  },
})

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  uuid: 'id',
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}

function textOf({ type, format, enum: values, anyOf, items }: z.infer<typeof jsonSchema>): string {
  const [first] = anyOf ?? []
  if (first !== undefined) return textOf(first)
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ')
  if (items !== undefined) return `list of ${textOf(items)}`
  return TEXTS[format ?? String([type].flat()[0])] ?? 'any'
}
