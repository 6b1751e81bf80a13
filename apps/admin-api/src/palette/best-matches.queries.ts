import { RESULTS_COUNTED_MAX, RESULTS_PER_KIND_MAX } from '@switchboard/contract/palette'
import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { beginsWord, contains } from '#src/lists/filters.queries.ts'

/** The best rows of a kind, and the number of all matches: "3", or "20+". */
type Found<Row> = { rows: Row[]; count: string }

/** A range of ids: all ids with the same beginning. */
export type IdRange = { from: string; to: string }

/** How a term finds rows: `ids` by their ids, `isByText` by the column `search_text`. */
export type Term = { text: string; ids: IdRange | null; isByText: boolean }

type Match = { isExact: RawBuilder<SqlBool>; hasWords: boolean }

/** The rows with a matching id, then the best matches of the text. */
export async function findRows<DB, Table extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { text, ids, isByText }: Term,
  match: Match,
): Promise<Found<Row>> {
  const [withId, matching] = await Promise.all([
    rowsWithId(query, ids),
    isByText ? bestMatches(query, text, match) : { rows: [], isMore: false },
  ])
  const rows = [...new Map([...withId, ...matching.rows].map((row) => [row.id, row])).values()]
  const count = matching.isMore ? `${Math.min(rows.length, RESULTS_COUNTED_MAX)}+` : String(rows.length)
  return { rows: rows.slice(0, RESULTS_PER_KIND_MAX), count }
}

/** The rows with an id in a range; none without a range. */
async function rowsWithId<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  ids: IdRange | null,
): Promise<Row[]> {
  if (ids === null) return []
  const { from, to } = ids
  return await query
    .where(sql<SqlBool>`id between ${from}::uuid and ${to}::uuid`)
    .limit(RESULTS_PER_KIND_MAX)
    .execute()
}

/**
 * The best matches of a term first: exact names, then words that begin with the term, then any other match. Few matches
 * are looked up once; with many, the better matches have their own statements. Addresses have no words: the trigrams of
 * ".example" are those of a word, so every row would match. Statements are unnamed, for the reason given at `readPage`.
 */
async function bestMatches<DB, Table extends keyof DB, Row extends { id: string }>(
  query: SelectQueryBuilder<DB, Table, Row>,
  term: string,
  { isExact, hasWords }: Match,
): Promise<{ rows: Row[]; isMore: boolean }> {
  const exact = query.where(isExact).limit(RESULTS_PER_KIND_MAX)
  // The index has no entries for a term without letters and digits.
  if (!/[\p{L}\p{N}]/u.test(term)) return { rows: await exact.execute(), isMore: false }

  const hasWordPrefix = hasWords ? beginsWord(term) : sql<SqlBool>`false`
  const rank = sql<number>`case when ${isExact} then 0 when ${hasWordPrefix} then 1 else 2 end`
  const matches = await query
    .select(rank.as('rank'))
    .where(contains(term))
    .limit(RESULTS_COUNTED_MAX + 1)
    .$castTo<Row & { rank: number }>()
    .execute()
  const rows: Row[] = matches.toSorted((one, other) => one.rank - other.rank)
  if (matches.length <= RESULTS_COUNTED_MAX) return { rows, isMore: false }

  const prefixed = hasWords ? await query.where(hasWordPrefix).limit(RESULTS_PER_KIND_MAX).execute() : []
  return { rows: [...(await exact.execute()), ...prefixed, ...rows.slice(0, RESULTS_COUNTED_MAX)], isMore: true }
}
