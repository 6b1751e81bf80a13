import { type AllApiKeysQuery, type ApiKeyBulkAction, deleteApiKey, toggleApiKey } from '@switchboard/contract/api-keys'
import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, mustStillMatch } from '#src/lists/bulk.service.ts'
import { matchesKey, namesOfKeys } from './api-keys.queries.ts'
import * as service from './api-keys.service.ts'

/** Switches many keys on or off or deletes them as `actOnEach` says; those that `query` does not match are refused. */
export async function bulkApiKeys(
  deps: Deps,
  actor: Actor,
  query: AllApiKeysQuery,
  { action, ids }: { action: ApiKeyBulkAction; ids: string[] },
): Promise<BulkAnswer> {
  const guardOf = (id: string) => mustStillMatch((trx) => matchesKey(trx, query, id))
  const setActive = (isActive: boolean) => (id: string) => service.toggleApiKey(deps, actor, id, isActive, guardOf(id))
  const acts = {
    activate: setActive(true),
    deactivate: setActive(false),
    delete: (id: string) => service.deleteApiKey(deps, actor, id, guardOf(id)),
  }
  const isDeletion = action === 'delete'
  return await actOnEach(deps, actor, {
    ids,
    names: await namesOfKeys(deps.db, ids),
    action: (isDeletion ? deleteApiKey : toggleApiKey).schema.operationId,
    targetType: 'api_key',
    act: acts[action],
    isDeletion,
  })
}
