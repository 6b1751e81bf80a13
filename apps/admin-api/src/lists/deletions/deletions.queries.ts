import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import type { DeletedTable } from '@switchboard/database/column-types'
import type { Database } from '@switchboard/database/tables'
import { type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'

/** Rows per statement: each statement stays far below the statement timeout. */
const MOVED_MAX = 1_000

/** Moves a locked record, with all rows that belong to it, out of their tables. They can be moved back for 30 days. */
export async function moveAway(trx: Transaction<Database>, table: DeletedTable, id: string): Promise<void> {
  await moveAll(trx, sql`move_away(${table}::regclass, ${id}, ${DELETION_KEPT_DAYS}, ${MOVED_MAX})`)
}

/** Moves a locked deleted record, with all its rows, back. */
export async function moveBack(trx: Transaction<Database>, table: DeletedTable, id: string): Promise<void> {
  await moveAll(trx, sql`move_back(${table}::regclass, ${id}, ${MOVED_MAX})`)
}

async function moveAll(trx: Transaction<Database>, part: RawBuilder<number>): Promise<void> {
  for (let moved = MOVED_MAX; moved === MOVED_MAX;) {
    const { rows } = await sql<{ moved: number }>`select ${part} as moved`.execute(trx)
    moved = rows[0]?.moved ?? 0
  }
}

/** Locks a deleted record that can be restored, and returns its row. Undefined without such a record. */
export async function lockDeleted<Table extends DeletedTable>(trx: Transaction<Database>, table: Table, id: string) {
  const { rows } = await sql<Selectable<Database[Table]>>`
    select kept.* from deletions cross join lateral jsonb_populate_record(null::${sql.table(table)}, record) as kept
    where root_id = ${id} and root_table = ${table} and is_root and kept_until is not null
    for update of deletions`.execute(trx)
  return rows[0]
}

/** The tenant of a deleted record: null for a person who runs the console, undefined without such a record. */
export async function tenantOfDeleted(trx: Transaction<Database>, table: DeletedTable, id: string) {
  const { rows } = await sql<{ tenant_id: string | null }>`
    select record ->> 'tenant_id' as tenant_id from deletions
    where root_id = ${id} and root_table = ${table} and is_root and kept_until is not null`.execute(trx)
  return rows[0]?.tenant_id
}

/** A row, and when its record was deleted; null if it is not deleted. */
type Row<Table extends DeletedTable> = Selectable<Database[Table]> & { deleted_at: string | null }

/** The value of `deleted_at` for the rows of a table. */
export const NOT_DELETED = sql<string | null>`null::timestamptz`.as('deleted_at')

/**
 * The rows of a table, or in the same form its deleted records that can be restored, under the name of the table. `updated_at`
 * of a deleted record is the time of its deletion. Leaves out the records of a deleted tenant, which come back only with the
 * tenant.
 */
export function presentOrDeleted<Table extends DeletedTable>(table: Table, isDeleted: boolean) {
  const name = sql.table(table)
  const rows = isDeleted
    ? sql<Row<Table>>`(
        select kept.*, deleted_at from deletions
        cross join lateral jsonb_populate_record(null::${name}, record || jsonb_build_object('updated_at', deleted_at)) as kept
        where root_table = ${sql.lit(table)} and kept_until is not null
          and (record ->> 'tenant_id' is null or exists (select from tenants where id = (record ->> 'tenant_id')::uuid))
      )`
    : sql<Row<Table>>`(select ${name}.*, ${NOT_DELETED} from ${name})`
  return rows.as<Table>(table)
}
