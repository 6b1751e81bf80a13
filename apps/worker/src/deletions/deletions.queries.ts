import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Rows per statement: other statements wait only milliseconds for its locks and disk writes. */
const PURGED_MAX = 1_000

/** Locks a deleted tenant whose time has ended, unless another worker does. Undefined without such a tenant. */
export async function lockExpiredTenant(trx: Transaction<Database>) {
  const { rows } = await sql<{ id: string; name: string; subdomain: string }>`
    select root_id as id, record ->> 'name' as name, record ->> 'subdomain' as subdomain from deletions
    where root_table = 'tenants' and is_root and kept_until <= now()
    limit 1 for update skip locked`.execute(trx)
  return rows[0]
}

/** Marks a locked deleted tenant, and its records that were deleted before, as permanently deleted. */
export async function markPurged(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    update deletions set kept_until = null
    where (root_id = ${id} or record ->> 'tenant_id' = ${id}) and is_root and kept_until is not null`.execute(trx)
}

/** Marks deleted users, keys and tasks whose time has ended as permanently deleted. */
export async function markExpired(db: Kysely<Database>): Promise<void> {
  await sql`
    update deletions set kept_until = null where ctid = any(array(
      select ctid from deletions where root_table <> 'tenants' and is_root and kept_until <= now()
      limit ${sql.lit(PURGED_MAX)} for update skip locked
    ))`.execute(db)
}

/** Deletes some rows of the records that are permanently deleted. Returns whether there may be more. */
export async function deletePurgedRows(db: Kysely<Database>): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from deletions where ctid = any(array(
      select ctid from deletions
      where not is_root and root_id in (select root_id from deletions where is_root and kept_until is null)
      limit ${sql.lit(PURGED_MAX)} for update skip locked
    ))`.execute(db)
  return numAffectedRows === BigInt(PURGED_MAX)
}

/** Deletes the permanently deleted records that have no row left. */
export async function deletePurgedRecords(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from deletions where is_root and kept_until is null
      and not exists (select from deletions as row where not row.is_root and row.root_id = deletions.root_id)`.execute(
    db,
  )
}
