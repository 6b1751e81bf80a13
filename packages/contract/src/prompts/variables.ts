import * as z from 'zod/mini'
import { anyText, text } from '#src/wire/text.ts'

/** The only type of template today. */
export const GENERAL_PROMPT = 'general'

/** Variables of every template, with values of the tenant. */
export const PROMPT_VARIABLES = ['goal', 'tenant_type', 'aggressiveness', 'tenant_name', 'subdomain'] as const

/** Words of the template language, which cannot be names of variables. */
const TEMPLATE_WORDS = [
  'and',
  'blank',
  'contains',
  'empty',
  'false',
  'forloop',
  'nil',
  'not',
  'null',
  'or',
  'tablerowloop',
  'true',
] as const

/** Longest name of a variable. */
export const VARIABLE_NAME_MAX = 40
/** Longest value of a declared variable, in UTF-16 units. */
export const VARIABLE_VALUE_MAX = 1_000
/** Maximum number of variables that a template declares. */
export const DECLARED_VARIABLES_MAX = 20

const TAKEN: ReadonlySet<string> = new Set([...PROMPT_VARIABLES, ...TEMPLATE_WORDS])

/** The problem of a name of a variable or a custom field as a sentence, or null. */
export function variableNameProblem(name: string): string | null {
  if (name.length > VARIABLE_NAME_MAX) return `Use at most ${VARIABLE_NAME_MAX} characters in a name.`
  if (!/^[a-z][a-z0-9_]*$/.test(name)) return 'A name has lower-case letters, digits and "_", and begins with a letter.'
  return TAKEN.has(name) ? `"${name}" is a variable or a word of templates. Choose another name.` : null
}

/** A name within the limits of the API. The check of all names has the sentences. */
const anyName = z.string().check(z.maxLength(500))

/** The variables that a template declares for its callers, each with its default value. */
export const declaredVariables = z.record(anyName, text(VARIABLE_VALUE_MAX)).check((payload) => {
  const names = Object.keys(payload.value)
  const tooMany =
    names.length > DECLARED_VARIABLES_MAX ? `A template can declare ${DECLARED_VARIABLES_MAX} variables.` : null
  const message = names.map(variableNameProblem).find((each) => each !== null) ?? tooMany
  if (message !== null) payload.issues.push({ code: 'custom', message, input: payload.value })
})
export type DeclaredVariables = z.infer<typeof declaredVariables>

/** Values of declared variables, by name. A variable without a value has its default. */
export const variableValues = z.record(anyName, anyText(VARIABLE_VALUE_MAX))
export type VariableValues = z.infer<typeof variableValues>

/** The declared variables with the given values or their defaults. */
export function withDefaults(declared: DeclaredVariables, values: VariableValues): DeclaredVariables {
  const given = Object.entries(values).filter(([name]) => Object.hasOwn(declared, name))
  return { ...declared, ...Object.fromEntries(given) }
}

/** The names of values whose variables are not declared. */
export function undeclaredNames(declared: DeclaredVariables, values: VariableValues): string[] {
  return Object.keys(values).filter((name) => !Object.hasOwn(declared, name))
}
