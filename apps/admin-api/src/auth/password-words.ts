/** Shorter words are part of too many good passwords. */
const GUESSABLE_WORD_MIN = 4

/**
 * Words that a person who knows the account would try first: those of a name, an address or a subdomain, and all of
 * them run together. Lowercase, at least four characters each.
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

/** The first of the `words` in a password, in any case, also with other characters between its letters and digits. */
export function wordIn(password: string, words: readonly string[]): string | undefined {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+/gu, '')
  return words.find((word) => lower.includes(word) || bare.includes(word))
}
