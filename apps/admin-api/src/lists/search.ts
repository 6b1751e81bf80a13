/** Shortest term that has a trigram of its own. */
const TRIGRAM = 3

/**
 * The `like` pattern of a search term, to be lowered by the database. From three characters on it is found anywhere;
 * shorter ones at the beginning of a word, which is as much as a trigram index can answer.
 */
export function searchPattern(term: string): string {
  const literal = literalPattern(term)
  return [...term.trim()].length < TRIGRAM ? `% ${literal}%` : `%${literal}%`
}

/** A term, trimmed, as it stands for itself within a `like` pattern. */
export function literalPattern(term: string): string {
  return term.trim().replace(/[\\%_]/g, '\\$&')
}
