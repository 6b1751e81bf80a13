import * as z from 'zod/mini'
import { PASSWORD_MAX, PASSWORD_MIN } from './admins.ts'
import { text } from './text.ts'

/** Shorter words are part of too many good passwords. */
const GUESSABLE_WORD_MIN = 4

export const NEW_PASSWORD_TOO_SHORT = 'New password must be at least 8 characters long'

/** A password to be. No other rule than its length is the schema's. */
export const newPassword = text(PASSWORD_MAX).check(
  z.refine((password) => !isTooShort(password), NEW_PASSWORD_TOO_SHORT),
)

export function isTooShort(password: string): boolean {
  return [...password].length < PASSWORD_MIN
}

/**
 * What somebody who knows the account would try first: the words of a name, an address or a subdomain, and all of them
 * run together. Lowercase, at least four characters each.
 */
export function guessableWords(...texts: string[]): string[] {
  const words = texts.flatMap((one) => {
    const parts = one.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return [...parts, parts.join('')]
  })
  return [...new Set(words)].filter((word) => [...word].length >= GUESSABLE_WORD_MIN)
}

/** The part of an e-mail address before its @. */
export function localPart(email: string): string {
  return email.slice(0, Math.max(0, email.lastIndexOf('@')))
}

/** Which of the `words` stands in the password, whatever its case and with anything but letters and digits left out. */
export function wordIn(password: string, words: readonly string[]): string | undefined {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+/gu, '')
  return words.find((word) => lower.includes(word) || bare.includes(word))
}

/** Whether a password is one short piece again and again, or one run of neighbours: "abcabcabc", "23456789". */
export function isPattern(password: string): boolean {
  const codes = [...password.toLowerCase()].map((character) => character.codePointAt(0) ?? 0)
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)))
  return steps.size <= 1 || /^(.{1,4}?)\1+$/su.test(password)
}

export type PasswordStrength = 'too short' | 'weak' | 'fair' | 'strong'

/** A rough guess for a hint while somebody types; the server refuses what is common. `words` are `guessableWords`. */
export function passwordStrength(password: string, words: readonly string[]): PasswordStrength {
  if (isTooShort(password)) return 'too short'
  if (isPattern(password) || wordIn(password, words) !== undefined) return 'weak'
  const bits = surprises(password) * Math.log2(alphabetOf(password))
  if (bits < 50) return 'weak'
  return bits < 70 ? 'fair' : 'strong'
}

/** Characters that are neither their predecessor again nor its neighbour. */
function surprises(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0)
  return codes.filter((code, index) => index === 0 || Math.abs(code - (codes[index - 1] ?? 0)) > 1).length
}

function alphabetOf(password: string): number {
  const alphabets: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 24],
  ]
  return alphabets.reduce((size, [pattern, count]) => size + (pattern.test(password) ? count : 0), 0)
}
