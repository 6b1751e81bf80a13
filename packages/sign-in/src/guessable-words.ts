/** Shorter words occur in too many good passwords. */
const GUESSABLE_WORD_MIN = 4

/**
 * Words of an account for an attacker to try first: the parts of each name, address or subdomain, single and joined.
 * Lowercase, at least four characters each.
 */
export function guessableWords(...texts: string[]): string[] {
  const words = texts.flatMap((text) => {
    const parts = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return [...parts, parts.join('')]
  })
  return [...new Set(words)].filter((word) => [...word].length >= GUESSABLE_WORD_MIN)
}

export function localPart(email: string): string {
  return email.slice(0, Math.max(0, email.lastIndexOf('@')))
}

/** Returns the first of the `words` found in a password. Ignores case and any signs between letters and digits. */
export function wordIn(password: string, words: readonly string[]): string | undefined {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^\p{L}\p{N}]+/gu, '')
  return words.find((word) => lower.includes(word) || bare.includes(word))
}
