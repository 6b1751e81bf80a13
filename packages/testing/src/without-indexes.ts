import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '@switchboard/database/tables'

/** Sort memory for building an index. */
const SORT_MEMORY = '512MB'

/**
 * Fills tables without indexes other than constraints, and rebuilds the indexes afterwards: updating them row by row
 * would take most of the time. For empty databases of benchmarks: the tables are locked until the end.
 */
export async function withoutIndexes(
  db: Kysely<Database>,
  tables: (keyof Database)[],
  fill: (trx: Transaction<Database>) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local maintenance_work_mem = ${sql.lit(SORT_MEMORY)}`.execute(trx)
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select relname as name, pg_get_indexdef(indexrelid) as definition from pg_index
      join pg_class on pg_class.oid = indexrelid
      where indrelid = any(${tables}::text[]::regclass[])
        and not exists (select from pg_constraint where conindid = indexrelid)`.execute(trx)
    for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(trx)
    await fill(trx)
    for (const { definition } of indexes) await sql.raw(definition).execute(trx)
  })
}
