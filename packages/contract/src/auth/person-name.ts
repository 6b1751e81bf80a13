import * as z from 'zod/mini'
import { requiredText } from '#src/wire/text.ts'

/** Maximum length of the name of a person. */
export const PERSON_NAME_MAX = 100

/** The name of a person as shown beside the email address. Null removes it. */
export const personName = z.nullable(requiredText(PERSON_NAME_MAX, 'Enter a name.'))

/** A typed name as `personName`: trimmed, and null for a blank text. */
export function nameOf(typed: string): string | null {
  return typed.trim() === '' ? null : typed.trim()
}
