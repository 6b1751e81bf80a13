import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** For `$call` of a query: adds a filter by a value, if it is set. */
export function whenSet<Query, Value>(value: Value | undefined, filter: (query: Query, value: Value) => Query) {
  return (query: Query): Query => (value === undefined ? query : filter(query, value))
}

/** For tables with `created_at`: created on a day in UTC ("2026-11-01") or later. */
export function createdFrom(day: string) {
  return sql<boolean>`created_at >= ${day}::date::timestamp at time zone 'UTC'`
}

/** For tables with `created_at`: created on a day in UTC or earlier. */
export function createdTo(day: string) {
  return sql<boolean>`created_at < (${day}::date + 1)::timestamp at time zone 'UTC'`
}

/** For tables with `updated_at`: changed at a moment or later. */
export function updatedSince(moment: string) {
  return sql<boolean>`updated_at >= ${moment}`
}

/** Whether one of these conditions holds. */
export function anyHolds(conditions: readonly RawBuilder<SqlBool>[]) {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

// The search is for tables with a `search_text`, or an expression like it: lower case, a space before each part, and a
// trigram index.

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
 * matches at the beginning of a word, because a trigram index finds nothing else for so short a term.
 */
export function contains(term: string, searched = SEARCH_TEXT) {
  const text = term.trim()
  return [...text].length < TRIGRAM ? beginsWord(text, searched) : isLike(text, searched)
}

/** Whether a row has a word that begins with a term, ignoring case. */
export function beginsWord(term: string, searched = SEARCH_TEXT) {
  return isLike(` ${term.trim()}`, searched)
}

function isLike(text: string, searched: RawBuilder<unknown>) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`${searched} like (lower(${pattern} collate "und-x-icu") collate "default")`
}
