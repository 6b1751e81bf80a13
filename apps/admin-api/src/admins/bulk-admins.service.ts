import type { BulkAnswer } from '@switchboard/contract/bulk'
import {
  type AdminBulkAction,
  type AdminListQuery,
  deleteAdmin,
  toggleAdmin,
} from '@switchboard/contract/tenant-admins'
import type { Actor } from '#src/auth/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, mustStillMatch } from '#src/lists/bulk.service.ts'
import { emailsOfAdmins, matchesAdmin } from './admins.queries.ts'
import * as service from './admins.service.ts'

/** Lets many admins in or out or deletes them as `actOnEach` says; those that `query` does not match are refused. */
export async function bulkAdmins(
  deps: Deps,
  actor: Actor,
  query: AdminListQuery,
  { action, ids }: { action: AdminBulkAction; ids: string[] },
): Promise<BulkAnswer> {
  const guardOf = (id: string) => mustStillMatch((trx) => matchesAdmin(trx, query, id))
  const setActive = (is_active: boolean) => (id: string) =>
    service.toggleAdmin(deps, actor, id, { is_active }, guardOf(id))
  const acts = {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: (id: string) => service.deleteAdmin(deps, actor, id, guardOf(id)),
  }
  const isDeletion = action === 'delete'
  return await actOnEach(deps, actor, {
    ids,
    names: await emailsOfAdmins(deps.db, ids),
    action: (isDeletion ? deleteAdmin : toggleAdmin).schema.operationId,
    targetType: 'admin',
    act: acts[action],
    isDeletion,
  })
}
