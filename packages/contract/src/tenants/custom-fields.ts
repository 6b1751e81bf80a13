import * as z from 'zod/mini'
import { PROMPT_VARIABLES, TEMPLATE_WORDS } from '#src/prompts/variables.ts'
import { text } from '#src/wire/text.ts'

/** Maximum number of custom fields of a tenant. */
export const CUSTOM_FIELDS_MAX = 50
/** Longest name of a custom field. */
export const FIELD_NAME_MAX = 40
/** Longest value of a custom field. */
export const FIELD_VALUE_MAX = 500

const RESERVED: ReadonlySet<string> = new Set([...PROMPT_VARIABLES, ...TEMPLATE_WORDS])

/** The problem of a name of a custom field as a sentence, or null. A name is also a variable of templates. */
export function fieldNameProblem(name: string): string | null {
  if (name === '') return 'A custom field needs a name.'
  if (name.length > FIELD_NAME_MAX) return `Use at most ${FIELD_NAME_MAX} characters in a name.`
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return 'A name has lower-case letters, digits and "_", and begins with a letter.'
  return RESERVED.has(name) ? `"${name}" is a variable or a word of templates. Choose another name.` : null
}

/** A name within the limits of the API. The check of all names has the sentences. */
const anyName = z.string().check(z.maxLength(FIELD_VALUE_MAX))

/** The custom fields of a tenant: values by name. */
export const customFields = z.record(anyName, text(FIELD_VALUE_MAX)).check((payload) => {
  const names = Object.keys(payload.value)
  const problem = names.map(fieldNameProblem).find((each) => each !== null) ?? tooMany(names.length)
  if (problem !== null) payload.issues.push({ code: 'custom', message: problem, input: payload.value })
})
export type CustomFields = z.infer<typeof customFields>

function tooMany(count: number): string | null {
  return count > CUSTOM_FIELDS_MAX ? `A tenant can have ${CUSTOM_FIELDS_MAX} custom fields.` : null
}
