import * as contract from '@switchboard/contract/api-keys'
import type { ApiKey } from '@switchboard/contract/api-keys'
import { removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { notFound } from '@switchboard/server/http/errors'
import { moveAway, moveBack } from '#src/lists/deletions/deletions.queries.ts'
import { lockDeletion } from '#src/lists/deletions/deletions.service.ts'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { auditedKey, targetOf } from './api-key-audit.ts'
import { apiKeyById, lockApiKey } from './api-keys.queries.ts'
import { refuseTooMany } from './api-keys.service.ts'

/** Deletes a key: its secret is refused within a second. Throws 404. */
export async function deleteApiKey({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const key = await lockApiKey(trx, id)
    if (key === undefined) throw notFound('API key')
    await moveAway(trx, 'api_keys', id)
    await writeAudit(trx, now(), actor, {
      action: contract.deleteApiKey.schema.operationId,
      target: targetOf(key),
      changes: removedFields(auditedKey(key)),
    })
  })
}

/**
 * Restores a deleted key as before the deletion. A restored key stays as it is. Throws 404, and 409 at the limit of keys, when
 * the key that this key replaced has been rotated again, and while the tenant is deleted.
 */
export async function restoreApiKey({ db, now }: Deps, actor: Actor, id: string): Promise<ApiKey> {
  return await inTransaction(db, async (trx) => {
    const deletion = await lockDeletion(trx, 'api_keys', id)
    if (deletion !== undefined) {
      refuseTooMany(deletion.tenant?.api_key_count ?? 0)
      await moveBack(trx, 'api_keys', id)
    }
    const key = await apiKeyById(trx, id)
    if (key === undefined) throw notFound('Deleted API key')
    if (deletion === undefined) return key
    await writeAudit(trx, now(), actor, {
      action: contract.restoreApiKey.schema.operationId,
      target: targetOf(key),
    })
    return key
  })
}
