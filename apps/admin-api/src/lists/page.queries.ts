import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { badCursor, type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { countOf, foundRows, inOrder } from './found-rows.queries.ts'

export type PageRequest = { sort: string; limit: number; cursor?: string | undefined }

export type Page<Row> = {
  rows: Row[]
  /** Matching rows in all; one more than `TOTAL_EXACT_MAX` stands for "more". */
  total: number
  /** How many matching rows come before this page. */
  start: number
  next: string | null
  prev: string | null
}

type PageOptions<Table extends keyof Database> = {
  /** The primary key, unless it is `id`. */
  key?: string
  /** How many rows match, where that is known. */
  total?: RawBuilder<number> | undefined
  /** The table, when what matches is found by another index than that of the order: `foundRows`. */
  foundIn?: Table | undefined
  /** The keys of what matches in `foundIn`, where another table says it: `foundRows`. */
  listed?: RawBuilder<unknown> | undefined
}

/**
 * One page by keyset: the rows after a position in `(column, key)` order, found by an index whatever the depth.
 * `query` selects and filters, and must select the primary key and the sort's column. Statements are unnamed on purpose: a
 * prepared one gets a generic plan after five runs, which ignores the trigram index. What matches is counted to
 * `TOTAL_EXACT_MAX` unless `total` says how many there are.
 */
export async function readPage<Table extends keyof Database, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<Database, Table, Row>,
  { sort, limit, cursor: cursorText }: PageRequest,
  { key = 'id', total, foundIn, listed }: PageOptions<Table> = {},
): Promise<Page<Row>> {
  const column = sort.replace(/^-/, '')
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText, sort)
  const back = cursor?.back === true
  const descending = sort.startsWith('-') !== back
  const place = { column, key, descending, isBeyond: isBeyond([column, key], descending, cursor), limit: limit + 1 }

  const found = await (
    foundIn === undefined
      ? inOrder(query.select((total ?? countOf(query)).as('total')).where(place.isBeyond), place).execute()
      : foundRows(db, foundIn, query, place, listed)
  ).catch((error: unknown) => {
    throw cursor !== null && isBadValue(error) ? badCursor() : error
  })
  // Everything behind the cursor is gone: the list begins anew.
  if (found.length === 0 && cursor !== null)
    return await readPage(db, query, { sort, limit }, { key, total, foundIn, listed })

  // One row more than asked for says that there is another page in this direction.
  const isMore = found.length > limit
  const rows = found.slice(0, limit)
  if (back) rows.reverse()
  const start = startOfPage(cursor, rows.length, isMore)
  const position = (row: Row | undefined, backwards: boolean, rowsBefore: number) =>
    row === undefined
      ? null
      : encodeCursor({ sort, value: valueOf(row, column), id: valueOf(row, key), back: backwards, start: rowsBefore })
  return {
    rows,
    total: found[0]?.total ?? 0,
    start,
    next: isMore || back ? position(rows.at(-1), false, start + rows.length) : null,
    prev: (back ? isMore : cursor !== null) ? position(rows[0], true, start) : null,
  }
}

/** Class 22, data exception: a cursor that somebody made up holds what its column cannot. */
function isBadValue(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')
}

function isBeyond(columns: [string, string], descending: boolean, cursor: Cursor | null) {
  if (cursor === null) return sql<boolean>`true`
  const comparison = descending ? sql`<` : sql`>`
  const place = sql.join(columns.map((column) => sql.ref(column)))
  return sql<boolean>`(${place}) ${comparison} (${cursor.value}, ${cursor.id})`
}

function startOfPage(cursor: Cursor | null, rowCount: number, isMore: boolean): number {
  if (cursor === null || (cursor.back && !isMore)) return 0
  return cursor.back ? Math.max(0, cursor.start - rowCount) : cursor.start
}

function valueOf(row: object, column: string): string | number {
  const value: unknown = Reflect.get(row, column)
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`The list does not select its column ${column}.`)
}
