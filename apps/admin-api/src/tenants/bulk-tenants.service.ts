import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import { deleteTenant, type TenantBulkAction, type TenantListQuery, updateTenant } from '@switchboard/contract/tenants'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, mustStillMatch } from '#src/lists/bulk.service.ts'
import { matchesTenant, namesOfTenants } from './tenants.queries.ts'
import * as service from './tenants.service.ts'

/**
 * Activates, deactivates or deletes many tenants as `actOnEach` says; those that `query` does not match are refused.
 */
export async function bulkTenants(
  deps: Deps,
  actor: Actor,
  query: TenantListQuery,
  { action, ids }: { action: TenantBulkAction; ids: string[] },
): Promise<BulkAnswer> {
  const guardOf = (id: string) => mustStillMatch((trx) => matchesTenant(trx, query, id))
  const setStatus = (status: 'active' | 'inactive') => (id: string) =>
    service.updateTenant(deps, actor, { id, expectedVersion: null }, { status }, guardOf(id))
  const acts = {
    activate: setStatus('active'),
    deactivate: setStatus('inactive'),
    delete: (id: string) => service.deleteTenant(deps, actor, id, guardOf(id)),
  }
  const isDeletion = action === 'delete'
  return await actOnEach(deps, actor, {
    ids,
    names: await namesOfTenants(deps.db, ids),
    action: (isDeletion ? deleteTenant : updateTenant).schema.operationId,
    targetType: 'tenant',
    act: acts[action],
    isDeletion,
  })
}
