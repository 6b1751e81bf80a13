import { type RawBuilder, type SqlBool, sql } from 'kysely'

// For tables with a `search_text`, or an expression like it: lower case, a space before each part, and a trigram index.

const SEARCH_TEXT = sql`search_text`

/** Shortest text with a trigram. */
const TRIGRAM = 3

/** A search term, or undefined if it is missing or has only blanks. */
export function searchTerm(term: string | undefined): string | undefined {
  return term?.trim() === '' ? undefined : term
}

export function isSearch(term: string | undefined): boolean {
  return searchTerm(term) !== undefined
}

/**
 * Whether a row contains a term, ignoring case. A term from three characters on matches anywhere. A shorter term
 * matches at the beginning of a word, because a trigram index finds nothing else for so short a term. The trigram index
 * looks up each word separately; then the matching rows are filtered by the whole term. A single look-up of "garden 637"
 * takes up to ten times as long: it also reads all rows for "en" at the end of a word and for a 6 at the beginning.
 * Repetitive trigrams ("000") match too many rows, so their look-up includes the neighboring characters.
 */
export function contains(term: string, searched = SEARCH_TEXT) {
  const text = term.trim()
  if (isShort(text)) return beginsWord(text, searched)
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  // The lower case of Σ depends on its place in the whole text.
  const isWhole = words.length === 0 || words[0] === text || words.some(isShort) || text.includes('Σ')
  if (isWhole) return isLike(text, searched)
  const lookedUp = words.map((word) => (isRepetitive(word) ? withNeighbors(word, text) : word))
  // PostgreSQL expects few rows for a second `like`: it would look up ".example" in the index, although all rows match.
  return sql<SqlBool>`(
    ${sql.join(
      lookedUp.map((word) => isLike(word, searched)),
      sql` and `,
    )} and strpos(${searched}, ${lowered(text)}) > 0
  )`
}

/** Whether a row has a word that begins with a term, ignoring case. */
export function beginsWord(term: string, searched = SEARCH_TEXT) {
  return isLike(` ${term.trim()}`, searched)
}

function isLike(text: string, searched: RawBuilder<unknown>) {
  return sql<SqlBool>`${searched} like ${pattern(text)}`
}

function isShort(text: string): boolean {
  return [...text].length < TRIGRAM
}

function isRepetitive(word: string): boolean {
  return new Set(word).size === 1
}

function withNeighbors(word: string, text: string): string {
  return new RegExp(`.?${word}.?`, 'su').exec(text)?.[0] ?? word
}

function pattern(text: string) {
  return lowered(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
}

function lowered(text: string) {
  return sql`(lower(${text} collate "und-x-icu") collate "default")`
}
