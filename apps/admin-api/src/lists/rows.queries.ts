import type { Database } from '@switchboard/database/tables'
import { type AliasedExpression, type Compilable, type Expression, type Kysely, sql, type SqlBool } from 'kysely'

/** A query for rows of any table: the part of Kysely's `SelectQueryBuilder` that lists use. */
export interface RowsQuery<Row> extends Expression<Row>, Compilable<Row> {
  select: (columns: readonly AliasedExpression<unknown, string>[]) => RowsQuery<Row>
  clearSelect: () => RowsQuery<object>
  where: (condition: Expression<SqlBool>) => RowsQuery<Row>
  orderBy: (column: Expression<unknown>, direction: 'asc' | 'desc') => RowsQuery<Row>
  clearOrderBy: () => RowsQuery<Row>
  limit: (most: number) => RowsQuery<Row>
  executeTakeFirst: () => Promise<Row | undefined>
}

/** The order of a list: columns in one direction. The last one is the primary key. */
export type Order = { columns: readonly string[]; isDescending: boolean }

/** The queries of a list. */
export type ListQueries<Filters, Row> = {
  /** The matching rows, unsorted. */
  matching: (db: Kysely<Database>, filters: Filters) => RowsQuery<Row>
  /** The order, unless it is the column of the sort and then the id. */
  order?: (filters: Filters) => Order
}

/** The order by a sort, "-created_at", and then by the primary key. */
export function orderOf(sort: string, key = 'id'): Order {
  return { columns: [sort.replace(/^-/, ''), key], isDescending: sort.startsWith('-') }
}

export function inOrder<Row>(query: RowsQuery<Row>, { columns, isDescending }: Order) {
  return columns.reduce((sorted, column) => sorted.orderBy(sql.ref(column), isDescending ? 'desc' : 'asc'), query)
}

/** The first `limit` ids of a sorted query. */
export async function idsOf<Row>(db: Kysely<Database>, query: RowsQuery<Row>, limit: number): Promise<string[]> {
  const ids = query
    .clearSelect()
    .select([sql`id`.as('id')])
    .limit(limit)
  const { rows } = await sql<{ id: string }>`${ids}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether a query has the row with this id. */
export async function hasRow(query: RowsQuery<unknown>, id: string): Promise<boolean> {
  return (await query.where(sql<boolean>`id = ${id}`).executeTakeFirst()) !== undefined
}

/** Rows of a batch. */
const BATCH = 500

/**
 * Reads a whole list in constant memory from a single snapshot. Each batch is a separate statement, so the statement
 * timeout applies to a batch. PostgreSQL aborts the transaction of a client that stops reading for ten seconds. Calls
 * `onCount` with the number of rows before the first batch; an error of `onCount` ends the read.
 */
export async function* allRows<Row>(
  db: Kysely<Database>,
  query: RowsQuery<Row>,
  onCount?: (total: number) => Promise<void>,
): AsyncGenerator<Row[]> {
  const trx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    if (onCount !== undefined) await onCount(await countOf(trx, query))
    yield* batchesOf(trx, query)
  } finally {
    await trx.rollback().execute()
  }
}

async function countOf<Row>(trx: Kysely<Database>, query: RowsQuery<Row>): Promise<number> {
  const counted = query
    .clearSelect()
    .clearOrderBy()
    .select([sql`1`.as('one')])
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${counted}) as counted`.execute(trx)
  return rows[0]?.total ?? 0
}

async function* batchesOf<Row>(trx: Kysely<Database>, query: Compilable<Row>): AsyncGenerator<Row[]> {
  const compiled = query.compile()
  await trx.executeQuery({ ...compiled, sql: `declare whole_list no scroll cursor for ${compiled.sql}` })
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(BATCH)} from whole_list`.execute(trx)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
  }
}
