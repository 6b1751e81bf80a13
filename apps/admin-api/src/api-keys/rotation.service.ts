import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/api-keys'
import type { ApiKey, NewApiKey, RotateApiKeyBody } from '@switchboard/contract/api-keys'
import { ROTATION_REFUSALS, rotationRefusal } from '@switchboard/contract/api-keys/key-rotation'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import { badRequest, notFound } from '@switchboard/server/http/errors'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { auditedKey, lifecycleChanges, targetOf } from './api-key-audit.ts'
import { apiKeyById, insertApiKey, lockApiKey, storeCallsBeforeRotation, updateApiKeyRow } from './api-keys.queries.ts'
import { change, futureOrNever, keyConflict, refuseTooMany } from './api-keys.service.ts'
import { newSecret } from './secret.ts'

/**
 * Creates the successor of a key. The old key works until the end of the grace period. Throws 404, 409 for a key
 * without the conditions for a rotation, 412 with the current record unless its version is `expectedVersion` (if given).
 */
export async function rotateApiKey(
  deps: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  { grace_seconds, expires_at = 'same_lifetime' }: RotateApiKeyBody,
): Promise<NewApiKey & { replaced: ApiKey }> {
  const { db, now, randomBytes } = deps
  return await inTransaction(db, async (trx) => {
    const old = await lockApiKey(trx, id)
    if (old === undefined) throw notFound('API key')
    refuseUnrotatable(old, now())
    await refuseStale(trx, 'key', old, expectedVersion)
    refuseTooMany((await lockOwningTenant(trx, old.tenant_id))?.api_key_count ?? 0)

    const { secret, stored } = newSecret(randomBytes, old.environment)
    const expiresAt = expires_at === 'same_lifetime' ? sameLifetime(old, now()) : futureOrNever(expires_at, now())
    const successor = await insertApiKey(trx, {
      ...stored,
      tenant_id: old.tenant_id,
      name: old.name,
      description: old.description,
      allowed_origins: old.allowed_origins,
      created_at: now(),
      expires_at: expiresAt,
      original_expires_at: expiresAt,
      rotated_from: old.id,
    })
    // Read the clock once: the grace period starts at the stored time of the rotation.
    const at = now()
    const end = graceEnd(old, at, grace_seconds)
    await storeCallsBeforeRotation(trx, id)
    await updateApiKeyRow(trx, id, {
      rotated_at: at,
      grace_ends_at: end,
      expires_at: end,
      ...(grace_seconds === 0 && { revoked_at: at, is_active: false }),
    })
    const replaced = await apiKeyById(trx, id)
    if (replaced === undefined) throw notFound('API key')
    const action = contract.rotateApiKey.schema.operationId
    await writeAudit(trx, now(), actor, { action, target: targetOf(old), changes: lifecycleChanges(old, replaced) })
    await writeAudit(trx, now(), actor, {
      action,
      target: targetOf(successor),
      changes: addedFields({ ...auditedKey(successor), rotated_from: old.id }),
    })
    return { ...successor, api_key: secret, replaced }
  })
}

/**
 * Ends the grace period of a rotated key now by revoking the key. Throws 404, and 409 without a running grace
 * period.
 */
export async function endGrace(deps: Deps, actor: Actor, id: string): Promise<ApiKey> {
  return await change(deps, actor, contract.endGrace, id, async (trx, key) => {
    const at = deps.now()
    refuseWithoutGrace(key, at)
    const ended = { grace_ends_at: at, expires_at: at, revoked_at: at, is_active: false }
    return await updateApiKeyRow(trx, id, ended)
  })
}

/**
 * Extends the grace period to `graceSeconds` from the rotation. Throws 404, 409 without a running grace period, 400
 * for an earlier end.
 */
export async function extendGrace(deps: Deps, actor: Actor, id: string, graceSeconds: number): Promise<ApiKey> {
  return await change(deps, actor, contract.extendGrace, id, async (trx, key) => {
    refuseWithoutGrace(key, deps.now())
    const rotatedAt = new Date(key.rotated_at ?? 0)
    const end = graceEnd({ ...key, expires_at: key.original_expires_at }, rotatedAt, graceSeconds)
    if (end <= new Date(key.grace_ends_at ?? 0)) throw badRequest('Choose an end later than the current one.')
    return await updateApiKeyRow(trx, id, { grace_ends_at: end, expires_at: end })
  })
}

/** A rotation never extends the lifetime of the old key. */
function graceEnd({ expires_at }: Pick<ApiKey, 'expires_at'>, from: Date, seconds: number): Date {
  const end = from.getTime() + seconds * 1_000
  return new Date(expires_at === null ? end : Math.min(end, Date.parse(expires_at)))
}

/** The lifetime of the old key, counted from now; not the old expiry, which may be near. */
function sameLifetime({ created_at, original_expires_at }: ApiKey, now: Date): Date | null {
  if (original_expires_at === null) return null
  return new Date(now.getTime() + Date.parse(original_expires_at) - Date.parse(created_at))
}

function refuseUnrotatable(key: ApiKey, now: Date): void {
  const code = rotationRefusal(key, now.getTime())
  if (code === null) return
  throw keyConflict(code, ROTATION_REFUSALS[code], key.rotated_to === null ? {} : { successor_id: key.rotated_to })
}

function refuseWithoutGrace(key: ApiKey, now: Date): void {
  if (key.revoked_at !== null || key.grace_ends_at === null || new Date(key.grace_ends_at) <= now)
    throw keyConflict('not_in_grace', 'The grace period of this key has ended.')
}
