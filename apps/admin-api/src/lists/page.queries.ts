import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Expression, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { badCursor, type Cursor, decodeCursor, encodeCursor } from './cursor.ts'

type PageRequest = { sort: string; limit: number; cursor?: string | undefined }

export type Page<Row> = {
  rows: Row[]
  /** Number of matching rows on all pages: `count`, or more. */
  total: { count: number; isMore: boolean }
  /** Number of matching rows before this page. */
  start: number
  next: string | null
  prev: string | null
}

type PageOptions = {
  /** The primary key, unless it is `id`. */
  key?: string
  /** The column of the sort, unless it has the name of the sort. */
  column?: string
  /** Sorts rows with equal values by this column of text or times, then by the primary key, both in the other direction. */
  second?: string | undefined
  /** SQL for the number of matching rows, at most `TOTAL_EXACT_MAX + 1`. By default, the rows are counted. */
  total?: RawBuilder<number> | undefined
  /** Collects and sorts all matching rows: for filters and orders without a common index, such as a search. */
  isCollected?: boolean
  /** SQL for the primary key and the columns of the order of all matching rows, if it is faster than the query itself. */
  collected?: Expression<unknown> | undefined
}

type Order = { column: string; second: string | undefined; key: string; descending: boolean; limit: number }

/**
 * One page by keyset pagination: the rows after a position in `(column, key)` order, found by an index at any depth.
 * `query` selects and filters, and must select the primary key and the column of the sort. Statements are unnamed: a
 * prepared statement gets a generic plan after five runs, which ignores the trigram index.
 */
export async function readPage<DB, Table extends keyof DB, Row extends object>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  { sort, limit, cursor: cursorText }: PageRequest,
  options: PageOptions = {},
): Promise<Page<Row>> {
  const { key = 'id', column = sort.replace(/^-/, ''), second } = options
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText, sort)
  if (cursor !== null && (cursor.second === undefined) !== (second === undefined)) throw badCursor()
  const back = cursor?.back === true
  // One row more than the page shows whether there is another page in this direction.
  const order = { column, second, key, descending: sort.startsWith('-') !== back, limit: limit + 1 }
  const find = options.isCollected === true ? collectedRows : indexedRows
  const found = await find(db, query, order, cursor, options).catch((error: unknown) => {
    throw cursor !== null && isBadValue(error) ? badCursor() : error
  })
  // All rows after the cursor have been deleted: start with the first page again.
  if (found.length === 0 && cursor !== null) return await readPage(db, query, { sort, limit }, options)

  const isMore = found.length > limit
  const rows = found.slice(0, limit)
  if (back) rows.reverse()
  const total = found[0]?.total ?? 0
  const start = startOfPage(cursor, rows.length, isMore)
  const position = (row: Row | undefined, backwards: boolean, rowsBefore: number) =>
    row === undefined
      ? null
      : encodeCursor({
          sort,
          value: valueOf(row, column),
          ...(second !== undefined && { second: valueOf(row, second) }),
          id: valueOf(row, key),
          back: backwards,
          start: rowsBefore,
        })
  return {
    rows,
    total: { count: Math.min(total, TOTAL_EXACT_MAX), isMore: total > TOTAL_EXACT_MAX },
    start,
    next: isMore || back ? position(rows.at(-1), false, start + rows.length) : null,
    prev: (back ? isMore : cursor !== null) ? position(rows[0], true, start) : null,
  }
}

/** The rows of a page in the order of an index. */
async function indexedRows<DB, Table extends keyof DB, Row>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  order: Order,
  cursor: Cursor | null,
  { total = countOf(query) }: PageOptions,
) {
  const page = inOrder(query.select(total.as('total')).where(isAfter(order, cursor)), order)
  return (await sql<Row & { total: number }>`${page}`.execute(db)).rows
}

/** The rows of a page after all matching rows have been collected, counted and sorted. */
async function collectedRows<DB, Table extends keyof DB, Row>(
  db: Kysely<Database>,
  query: SelectQueryBuilder<DB, Table, Row>,
  order: Order,
  cursor: Cursor | null,
  { collected }: PageOptions,
) {
  const key = sql.ref(order.key)
  const columns = [order.column, order.key, ...(order.second === undefined ? [] : [order.second])]
  const matching = collected ?? query.clearSelect().select(columns.map((column) => sql.ref(column).as(column)))
  const keys = sql`
    select ${key} from matching where ${isAfter(order, cursor)}
    order by ${sql.join(orderOf(order))} limit ${order.limit}`
  const page = inOrder(
    query.select(sql<number>`(select count(*) from matching)`.as('total')).where(sql<boolean>`${key} in (${keys})`),
    order,
  )
  const { rows } = await sql<Row & { total: number }>`with matching as materialized (${matching}) ${page}`.execute(db)
  return rows
}

/** SQL for the number of rows of a query, counted up to `TOTAL_EXACT_MAX + 1`. */
export function countOf<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
): RawBuilder<number> {
  const matching = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(sql.lit(TOTAL_EXACT_MAX + 1))
  return sql<number>`(select count(*) from ${matching} as counted)`
}

function inOrder<DB, Table extends keyof DB, Row>(query: SelectQueryBuilder<DB, Table, Row>, order: Order) {
  return orderOf(order)
    .reduce((sorted, column) => sorted.orderBy(column), query)
    .limit(order.limit)
}

function orderOf({ column, second, key, descending }: Order) {
  const [forwards, backwards] = descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`]
  const first = sql`${sql.ref(column)} ${forwards}`
  if (second === undefined) return [first, sql`${sql.ref(key)} ${forwards}`]
  return [first, sql`${sql.ref(second)} ${backwards}`, sql`${sql.ref(key)} ${backwards}`]
}

function isAfter({ column, second, key, descending }: Order, cursor: Cursor | null) {
  if (cursor === null) return sql<boolean>`true`
  const [value, id] = [sql.ref(column), sql.ref(key)]
  const [after, before] = descending ? [sql`<`, sql`>`] : [sql`>`, sql`<`]
  if (second === undefined) return sql<boolean>`(${value}, ${id}) ${after} (${cursor.value}, ${cursor.id})`
  // The first comparison finds the value in the index, the second one the place among its rows.
  return sql<boolean>`(
    ${value} ${after}= ${cursor.value}
    and (${value} ${after} ${cursor.value} or (${sql.ref(second)}, ${id}) ${before} (${cursor.second}, ${cursor.id}))
  )`
}

/** Class 22, data exception: the column cannot hold the value of an invented cursor. */
function isBadValue(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('22')
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
