import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { DeletedTable } from '@switchboard/database/column-types'
import type { Database } from '@switchboard/database/tables'
import { conflict } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { lockDeleted, tenantOfDeleted } from './deletions.queries.ts'

const TENANT_DELETED = 'The tenant of this record is deleted. Restore the tenant first.'

/**
 * Locks the tenant of a deleted record, then the record, and returns both. Undefined if there is no such record, or if a
 * concurrent call has restored it. Throws 409 while the tenant is deleted.
 */
export async function lockDeletion<Table extends Exclude<DeletedTable, 'tenants'>>(
  trx: Transaction<Database>,
  table: Table,
  id: string,
) {
  const tenantId = await tenantOfDeleted(trx, table, id)
  if (tenantId === undefined) return undefined
  const tenant = tenantId === null ? undefined : await lockOwningTenant(trx, tenantId)
  if (tenantId !== null && tenant === undefined) throw conflict(TENANT_DELETED)
  // Read again: a concurrent restore may have held the lock of the tenant.
  const record = await lockDeleted(trx, table, id)
  return record && { record, tenant }
}
