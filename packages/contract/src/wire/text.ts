import * as z from 'zod/mini'

/**
 * A string of at most `max` UTF-16 units, stored and shown byte for byte. Characters that PostgreSQL cannot store
 * (NUL, lone surrogates) are refused by the servers before any schema runs.
 */
export function text(max: number) {
  return z.string().check(z.maxLength(max, `Use at most ${max} characters.`))
}

/** A required string: trimmed, then at least one character. `message` is the sentence for an empty string. */
export function requiredText(max: number, message: string) {
  return text(max).check(z.trim(), z.minLength(1, message))
}

/** A moment in UTC as ISO 8601 with milliseconds: `2026-11-20T09:30:00.000Z`. */
export const moment = z.iso.datetime()
