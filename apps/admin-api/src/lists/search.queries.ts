import { type SqlBool, sql } from 'kysely'

// For rows with a `search_text`: in small letters, with a space before each part, and with an index of its trigrams.

/** Shortest text that has a trigram of its own. */
const TRIGRAM = 3

/** Whether there is a term to look for. */
export function isSearch(term: string | undefined): boolean {
  return term !== undefined && term.trim() !== ''
}

/**
 * Whether a row holds a term, in whatever letters. From three characters on it is found anywhere; shorter ones at the
 * beginning of a word, which is as much as a trigram index can answer.
 *
 * The index is asked for each word by itself, and what it finds is held against the whole term. Asked for "garden 637" at
 * once it would go through all that ends in "en" and all that begins with a 6 as well, which takes up to ten times as long.
 * Only "000" and the like, which are a part of much, are asked for with what stands beside them.
 */
export function holds(term: string) {
  const text = term.trim()
  if (isShort(text)) return beginsWord(text)
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  // Of capital letters, Σ alone becomes the small one that its place within the whole text asks for.
  const isWhole = words.length === 0 || words[0] === text || words.some(isShort) || text.includes('Σ')
  if (isWhole) return isLike(text)
  // `textlike` is what `like` calls; no index knows it.
  const asked = words.map((word) => (isOneCharacter(word) ? withNeighbours(word, text) : word))
  return sql<SqlBool>`(${sql.join(asked.map(isLike), sql` and `)} and textlike(search_text, ${pattern(text)}))`
}

/** Whether a row has a word that begins with a term, in whatever letters. */
export function beginsWord(term: string) {
  return isLike(` ${term.trim()}`)
}

function isLike(text: string) {
  return sql<SqlBool>`search_text like ${pattern(text)}`
}

function isShort(text: string): boolean {
  return [...text].length < TRIGRAM
}

function isOneCharacter(word: string): boolean {
  return new Set(word).size === 1
}

function withNeighbours(word: string, text: string): string {
  return new RegExp(`.?${word}.?`, 'su').exec(text)?.[0] ?? word
}

function pattern(text: string) {
  return sql`(lower(${`%${text.replace(/[\\%_]/g, '\\$&')}%`} collate "und-x-icu") collate "default")`
}
