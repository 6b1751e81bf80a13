import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

/** Rows per statement: other statements wait only milliseconds for its locks and disk writes. */
const PURGED_MAX = 1_000

/** Locks a deleted tenant whose 30 days have ended and that no other worker has locked. Undefined if there is none. */
export async function lockExpiredTenant(trx: Transaction<Database>) {
  const { rows } = await sql<{ id: string; name: string; subdomain: string }>`
    select root_id as id, record ->> 'name' as name, record ->> 'subdomain' as subdomain from deletions
    where root_table = 'tenants' and is_root and kept_until <= now()
    limit 1 for update skip locked`.execute(trx)
  return rows[0]
}

/** Marks deleted users, keys and tasks whose 30 days have ended as permanently deleted. */
export async function markExpired(db: Kysely<Database>): Promise<void> {
  await sql`
    update deletions set kept_until = null where ctid = any(array(
      select ctid from deletions where root_table <> 'tenants' and is_root and kept_until <= now()
      limit ${sql.lit(PURGED_MAX)} for update skip locked
    ))`.execute(db)
}

/** The ids of permanently deleted records that may still have rows. */
const PURGED = sql`(select root_id from deletions where is_root and kept_until is null)`

/** Deletes some rows and portal sign-ins of permanently deleted records. Returns whether there may be more. */
export async function deletePurgedRows(db: Kysely<Database>): Promise<boolean> {
  const counts = [
    await deleteSome(db, 'deletions', sql`not is_root and root_id in ${PURGED}`),
    await deleteSome(db, 'portal_sign_ins', sql`tenant_id in ${PURGED}`),
    await deleteSome(db, 'portal_sign_ins', sql`user_id in ${PURGED}`),
  ]
  return counts.includes(BigInt(PURGED_MAX))
}

async function deleteSome(db: Kysely<Database>, table: keyof Database, where: RawBuilder<unknown>): Promise<bigint> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${where} limit ${sql.lit(PURGED_MAX)} for update skip locked
    ))`.execute(db)
  return numAffectedRows
}

/** Deletes the permanently deleted records that have no rows left. */
export async function deletePurgedRecords(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from deletions where is_root and kept_until is null
      and not exists (select from deletions as row where not row.is_root and row.root_id = deletions.root_id)
      and not exists (select from portal_sign_ins where tenant_id = root_id)
      and not exists (select from portal_sign_ins where user_id = root_id)`.execute(db)
}
