import * as z from 'zod/mini'
import { VARIABLE_NAME_MAX, variableNameProblem } from '#src/prompts/variables.ts'
import { text } from '#src/wire/text.ts'

/** Maximum number of custom fields of a tenant. */
export const CUSTOM_FIELDS_MAX = 50
/** Longest name of a custom field, which is also a variable. */
export const FIELD_NAME_MAX = VARIABLE_NAME_MAX
/** Longest value of a custom field. */
export const FIELD_VALUE_MAX = 500

/** The problem of a name of a custom field as a sentence, or null. A name is also a variable of templates. */
export function fieldNameProblem(name: string): string | null {
  return name === '' ? 'A custom field needs a name.' : variableNameProblem(name)
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
