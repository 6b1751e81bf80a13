import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { badCursor, type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { type Found, inOrder, type Place, type Search } from './sorted-matches.queries.ts'
import { countOf, type Total, totalUpTo } from './totals.queries.ts'

export type PageRequest = { sort: string; limit: number; cursor?: string | undefined }

export type Page<Row> = {
  rows: Row[]
  /** Matching rows in all. */
  total: Total
  /** The order of the rows: what was asked for, or another where too many match. */
  sort: string
  /** How many matching rows come before this page. */
  start: number
  next: string | null
  prev: string | null
}

type PageOptions<Row> = {
  /** The primary key, unless it is `id`. */
  key?: string
  /** How many rows match, where that is known; one more than `TOTAL_EXACT_MAX` stands for "more". */
  total?: RawBuilder<number> | undefined
  /** How far to count where it is not known. */
  countedTo?: number | undefined
  /** Where what matches is found by another index than that of the order. */
  search?: Search<Row> | undefined
}

/**
 * One page by keyset: the rows after a position in `(column, key)` order, found by an index whatever the depth.
 * `query` selects and filters, and must select the primary key and the sort's column. Statements are unnamed on purpose: a
 * prepared one gets a generic plan after five runs, which ignores the trigram index.
 */
export async function readPage<DB, Table extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, Table, Row>,
  { sort, limit, cursor: cursorText }: PageRequest,
  options: PageOptions<Row> = {},
): Promise<Page<Row>> {
  const { search } = options
  const order = { sort, column: sort.replace(/^-/, ''), key: options.key ?? 'id' }
  const orders = search?.other === undefined ? [order] : [order, search.other]
  const sorts = orders.map((one) => one.sort)
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText, sorts)
  const back = cursor?.back === true
  const asked = placeOf(orders.find((one) => one.sort === cursor?.sort) ?? order, limit, cursor)

  const reading = search === undefined ? rowsInOrder(query, asked, options) : search.find(asked)
  const found = await reading.catch((error: unknown) => {
    throw cursor !== null && isBadValue(error) ? badCursor() : error
  })
  // Everything behind the cursor is gone: the list begins anew.
  if (found.rows.length === 0 && cursor !== null) return await readPage(query, { sort, limit }, options)

  const { total, place } = found
  // One row more than asked for says that there is another page in this direction.
  const isMore = found.rows.length > limit
  const rows = found.rows.slice(0, limit)
  if (back) rows.reverse()
  const start = startOfPage(cursor, rows.length, isMore)
  const position = (row: Row | undefined, backwards: boolean, rowsBefore: number) => {
    if (row === undefined) return null
    const [value, id] = [valueOf(row, place.column), valueOf(row, place.key)]
    return encodeCursor({ sort: place.sort, value, id, back: backwards, start: rowsBefore })
  }
  return {
    rows,
    total,
    sort: place.sort,
    start,
    next: isMore || back ? position(rows.at(-1), false, start + rows.length) : null,
    prev: (back ? isMore : cursor !== null) ? position(rows[0], true, start) : null,
  }
}

function placeOf(order: Pick<Place, 'sort' | 'column' | 'key'>, limit: number, cursor: Cursor | null): Place {
  const descending = order.sort.startsWith('-') !== (cursor?.back === true)
  const beyond = isBeyond([order.column, order.key], descending, cursor)
  return { ...order, descending, isBeyond: beyond, isFirstPage: cursor === null, limit: limit + 1 }
}

/** The rows of a page that an index has in its order. */
async function rowsInOrder<DB, Table extends keyof DB, Row extends object>(
  query: SelectQueryBuilder<DB, Table, Row>,
  place: Place,
  { total, countedTo }: PageOptions<Row>,
): Promise<Found<Row>> {
  const counted = query.select((total ?? countOf(query, countedTo)).as('total')).$castTo<Row & { total: number }>()
  const rows = await inOrder(counted.where(place.isBeyond), place).execute()
  return { rows, total: totalUpTo(rows[0]?.total ?? 0, countedTo), place }
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
