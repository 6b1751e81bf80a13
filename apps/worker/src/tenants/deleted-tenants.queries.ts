import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'

/** Records per statement: other statements wait only milliseconds for its locks and disk writes. */
const PURGED_MAX = 1_000

/** Locks a tenant that was deleted at least `days` ago, unless another worker does. Undefined without such a tenant. */
export async function lockExpiredTenant(trx: Transaction<Database>, days: number) {
  return await trx
    .selectFrom('deleted_tenants')
    .select(['id', 'name', 'subdomain'])
    .where('purged_at', 'is', null)
    .where(sql<boolean>`deleted_at <= now() - make_interval(days => ${days})`)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function markPurged(trx: Transaction<Database>, id: string): Promise<void> {
  await trx
    .updateTable('deleted_tenants')
    .set({ purged_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/** Deletes some records and sign-ins of the tenants that are permanently deleted. Returns whether there may be more. */
export async function deletePurgedRecords(db: Kysely<Database>): Promise<boolean> {
  const deleted = await Promise.all(
    ['deleted_records', 'portal_sign_ins'].map(async (name) => {
      const table = sql.table(name)
      const { numAffectedRows = 0n } = await sql`
        delete from ${table} where ctid = any(array(
          select ctid from ${table} where tenant_id in (select id from deleted_tenants where purged_at is not null)
          limit ${sql.lit(PURGED_MAX)} for update skip locked
        ))`.execute(db)
      return numAffectedRows
    }),
  )
  return deleted.includes(BigInt(PURGED_MAX))
}

/** Deletes the tenants that are permanently deleted and have no record left. */
export async function deletePurgedTenants(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from deleted_tenants where purged_at is not null
      and not exists (select from deleted_records where tenant_id = deleted_tenants.id)
      and not exists (select from portal_sign_ins where tenant_id = deleted_tenants.id)`.execute(db)
}
