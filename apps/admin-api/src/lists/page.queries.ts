import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { badCursor, type Cursor, decodeCursor, encodeCursor } from './cursor.ts'
import { inOrder, type Order, type RowsQuery } from './rows.queries.ts'

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
  /** SQL for the number of matching rows, at most `TOTAL_EXACT_MAX + 1`. By default, the rows are counted. */
  total?: RawBuilder<number> | undefined
  /** Collects and sorts all matching rows: for filters and orders without a common index, such as a search. */
  isCollected?: boolean | undefined
}

/**
 * One page by keyset pagination: the rows after a position in the order, found by an index at any depth. `query` selects
 * and filters. Statements are unnamed: a prepared statement gets a generic plan after five runs, which ignores the
 * trigram index.
 */
export async function readPage<Row extends object>(
  db: Kysely<Database>,
  query: RowsQuery<Row>,
  order: Order,
  { limit, cursor: cursorText }: { limit: number; cursor?: string | undefined },
  options: PageOptions = {},
): Promise<Page<Row>> {
  const { columns } = order
  const sort = `${order.isDescending ? '-' : ''}${columns[0]}`
  const cursor = cursorText === undefined ? null : decodeCursor(cursorText, sort, columns.length)
  const back = cursor?.back === true
  const towards = { columns, isDescending: order.isDescending !== back }
  const positioned = query.select(columns.map((column) => sql.ref(column).as(column)))
  const find = options.isCollected === true ? collectedRows : indexedRows
  // One row more than the page shows whether there is another page in this direction.
  const found = await find(db, positioned, towards, { cursor, limit: limit + 1 }, options).catch((error: unknown) => {
    throw cursor !== null && isBadValue(error) ? badCursor() : error
  })
  // All rows after the cursor have been deleted: start with the first page again.
  if (found.length === 0 && cursor !== null) return await readPage(db, query, order, { limit }, options)

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
          values: columns.map((column) => valueOf(row, column)),
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

type Place = { cursor: Cursor | null; limit: number }

/** The rows of a page in the order of an index. */
async function indexedRows<Row>(
  db: Kysely<Database>,
  query: RowsQuery<Row>,
  order: Order,
  { cursor, limit }: Place,
  { total = countOf(query) }: PageOptions,
) {
  const page = inOrder(query.select([total.as('total')]).where(isAfter(order, cursor)), order).limit(limit)
  return (await sql<Row & { total: number }>`${page}`.execute(db)).rows
}

/** The rows of a page after all matching rows have been collected, counted and sorted. */
async function collectedRows<Row>(db: Kysely<Database>, query: RowsQuery<Row>, order: Order, { cursor, limit }: Place) {
  const columns = order.columns.map((column) => sql.ref(column))
  const key = sql.join(columns.slice(-1))
  const matching = query.clearSelect().select(order.columns.map((column) => sql.ref(column).as(column)))
  const direction = order.isDescending ? sql`desc` : sql`asc`
  const keys = sql`
    select ${key} from matching where ${isAfter(order, cursor)}
    order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))} limit ${limit}`
  const page = inOrder(
    query.select([sql<number>`(select count(*) from matching)`.as('total')]).where(sql<boolean>`${key} in (${keys})`),
    order,
  )
  const { rows } = await sql<Row & { total: number }>`with matching as materialized (${matching}) ${page}`.execute(db)
  return rows
}

/** SQL for the number of rows of a query, counted up to `TOTAL_EXACT_MAX + 1`. */
export function countOf<Row>(query: RowsQuery<Row>): RawBuilder<number> {
  const matching = query
    .clearSelect()
    .select([sql`1`.as('one')])
    .limit(TOTAL_EXACT_MAX + 1)
  return sql<number>`(select count(*) from ${matching} as counted)`
}

function isAfter({ columns, isDescending }: Order, cursor: Cursor | null) {
  if (cursor === null) return sql<boolean>`true`
  const row = sql.join(columns.map((column) => sql.ref(column)))
  return sql<boolean>`(${row}) ${isDescending ? sql`<` : sql`>`} (${sql.join(cursor.values)})`
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
  throw new Error(`The list cannot be sorted by ${column}.`)
}
