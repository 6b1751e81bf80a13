import type { Database } from '@switchboard/database/tables'
import { type RawBuilder, sql, type Transaction } from 'kysely'

/** Records per statement: each statement stays far below the statement timeout. */
const MOVED_MAX = 1_000

/** Moves a locked tenant and its records out of their tables. */
export async function hideTenant(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    insert into deleted_tenants (id, name, subdomain, record)
    select id, name, subdomain, to_jsonb(tenants) from tenants where id = ${id}`.execute(trx)
  await sql`select lock_records_of_tenant(${id})`.execute(trx)
  await moveAll(trx, sql`hide_records_of_tenant(${id}, ${MOVED_MAX})`)
  await trx.deleteFrom('tenants').where('id', '=', id).execute()
}

/** Locks a tenant that can be restored. Undefined without such a tenant. */
export async function lockDeletedTenant(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('deleted_tenants')
    .select(['id', 'name', 'subdomain'])
    .where('id', '=', id)
    .where('purged_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** Moves a locked deleted tenant and its records back. */
export async function restoreRows(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`select restore_rows('tenants', array[record]) from deleted_tenants where id = ${id}`.execute(trx)
  await moveAll(trx, sql`restore_records_of_tenant(${id}, ${MOVED_MAX})`)
  await trx.deleteFrom('deleted_tenants').where('id', '=', id).execute()
}

/** Leaves the records of a deleted tenant to a worker, which deletes them. */
export async function markPurged(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('deleted_tenants')
    .set({ purged_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

async function moveAll(trx: Transaction<Database>, part: RawBuilder<number>): Promise<void> {
  for (let moved = MOVED_MAX; moved === MOVED_MAX;) {
    const { rows } = await sql<{ moved: number }>`select ${part} as moved`.execute(trx)
    moved = rows[0]?.moved ?? 0
  }
}
