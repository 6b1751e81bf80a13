import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import { type UserBulkAction, type UserListQuery, deleteUser, toggleUser } from '@switchboard/contract/users'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, mustStillMatch } from '#src/lists/bulk.service.ts'
import { emailsOfUsers, matchesUser } from './users.queries.ts'
import * as service from './users.service.ts'

/** Lets many admins in or out or deletes them as `actOnEach` says; those that `query` does not match are refused. */
export async function bulkUsers(
  deps: Deps,
  actor: Actor,
  query: UserListQuery,
  { action, ids }: { action: UserBulkAction; ids: string[] },
): Promise<BulkAnswer> {
  const guardOf = (id: string) => mustStillMatch((trx) => matchesUser(trx, query, id))
  const setActive = (is_active: boolean) => (id: string) =>
    service.toggleUser(deps, actor, id, { is_active }, guardOf(id))
  const acts = {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: (id: string) => service.deleteUser(deps, actor, id, guardOf(id)),
  }
  const isDeletion = action === 'delete'
  return await actOnEach(deps, actor, {
    ids,
    names: await emailsOfUsers(deps.db, ids),
    action: (isDeletion ? deleteUser : toggleUser).schema.operationId,
    targetType: 'user',
    act: acts[action],
    isDeletion,
  })
}
