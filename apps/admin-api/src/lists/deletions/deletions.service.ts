import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { conflict } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { type DeletedTable, deletionOf } from './deletions.queries.ts'

const TENANT_DELETED = 'The tenant of this record is deleted. Restore the tenant first.'

/**
 * Locks the tenant of a deleted record, and returns the deletion while an undo is possible. Undefined without such a
 * deletion, also after a concurrent undo. Throws 409 while the tenant is deleted.
 */
export async function lockDeletion(trx: Transaction<Database>, table: DeletedTable, id: string) {
  const found = await deletionOf(trx, table, id)
  if (found === undefined) return undefined
  if (found.tenant_id === null) return { ...found, tenant: undefined }
  const tenant = await lockOwningTenant(trx, found.tenant_id)
  if (tenant === undefined) throw conflict(TENANT_DELETED)
  // A concurrent undo may have held the lock of the tenant.
  return (await deletionOf(trx, table, id)) && { ...found, tenant }
}
