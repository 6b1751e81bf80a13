import { isDeepStrictEqual } from 'node:util'
import * as contract from '@switchboard/contract/api-keys'
import { publicSuffixProblem, wildcardHost } from '@switchboard/contract/api-keys/allowed-origins'
import type { ApiKey, CreateApiKeyBody, KeyConflict, NewApiKey, UpdateApiKeyBody } from '@switchboard/contract/api-keys'
import { addedFields, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { AppError, badRequest, conflict, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { getPublicSuffix } from 'tldts'
import { refuseUnconfirmed } from '#src/auth/confirmation/confirmation.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { auditedKey, lifecycleChanges, targetOf } from './api-key-audit.ts'
import * as queries from './api-keys.queries.ts'
import { newSecret } from './secret.ts'

/** The keys of a tenant, newest first. Throws 404. */
export async function listApiKeys({ db }: Pick<Deps, 'db'>, tenantId: string): Promise<ApiKey[]> {
  const keys = await queries.keysOfTenant(db, tenantId)
  if (keys.length === 0 && (await queries.tenantOfKeys(db, tenantId)) === undefined) throw notFound('Tenant')
  return keys
}

/** The key with this id. Throws 404, for a deleted key too. */
export async function apiKeyOf({ db }: Pick<Deps, 'db'>, id: string): Promise<ApiKey> {
  const key = await queries.apiKeyById(db, id)
  if (key === undefined) throw notFound('API key')
  return key
}

/**
 * Creates a key. Only the answer has the secret. Throws 404, 400 for a past expiry, 409 at the limit, 422
 * for a wildcard under a public suffix.
 */
export async function createApiKey(deps: Deps, actor: Actor, body: CreateApiKeyBody): Promise<NewApiKey> {
  const { db, now, randomBytes } = deps
  const expiresAt = futureOrNever(body.expires_at ?? null, now())
  refusePublicWildcards(body.allowed_origins ?? [])
  const { secret, stored } = newSecret(randomBytes, body.environment ?? 'live')
  return await inTransaction(db, async (trx) => {
    const tenant = await lockOwningTenant(trx, body.tenant_id)
    if (tenant === undefined) throw notFound('Tenant')
    refuseTooMany(tenant.api_key_count)
    const key = await queries.insertApiKey(trx, {
      ...stored,
      tenant_id: tenant.id,
      name: body.name === undefined || body.name === '' ? contract.defaultApiKeyName(tenant.name) : body.name,
      description: body.description ?? '',
      allowed_origins: [...new Set(body.allowed_origins)],
      created_at: now(),
      expires_at: expiresAt,
      original_expires_at: expiresAt,
    })
    await writeAudit(trx, now(), actor, {
      action: contract.createApiKey.schema.operationId,
      target: targetOf(key),
      changes: addedFields(auditedKey(key)),
    })
    return { ...key, api_key: secret }
  })
}

/**
 * Changes the given fields. Throws 404, 403 for a later expiry without a recent confirmation, 400 for a past expiry,
 * 409 for a revoked key and for the expiry of a rotated key, 412 with the current record unless its version is
 * `expectedVersion` (if given), 422 for a wildcard under a public suffix.
 */
export async function updateApiKey(
  deps: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  body: UpdateApiKeyBody,
): Promise<ApiKey> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const before = await queries.lockApiKey(trx, id)
    if (before === undefined) throw notFound('API key')
    await refuseStale(trx, 'key', before, expectedVersion)
    if (before.revoked_at !== null) throw keyConflict('key_revoked', 'This key is revoked and cannot be changed.')
    const { expires_at, ...fields } = differing(before, body)
    const changes = changedFields<Record<string, unknown>>(before, { ...fields, expires_at })
    if (Object.keys(changes).length === 0) return before
    refusePublicWildcards(fields.allowed_origins ?? [])
    if (expires_at !== undefined && isLater(expires_at, before.expires_at)) refuseUnconfirmed(deps, actor)
    const after = await queries.updateApiKeyRow(trx, id, {
      ...fields,
      ...(expires_at !== undefined && newExpiry(before, expires_at, now())),
    })
    await writeAudit(trx, now(), actor, {
      action: contract.updateApiKey.schema.operationId,
      target: targetOf(after),
      changes,
    })
    return after
  })
}

/** The fields of a change that differ from the key. */
function differing(key: ApiKey, { name, description, allowed_origins, expires_at }: UpdateApiKeyBody) {
  const origins = allowed_origins && [...new Set(allowed_origins)]
  const expiry = expires_at && new Date(expires_at).toISOString()
  return {
    ...(name !== key.name && { name }),
    ...(description !== key.description && { description }),
    ...(!isDeepStrictEqual(origins, key.allowed_origins) && { allowed_origins: origins }),
    ...(expiry !== key.expires_at && { expires_at: expiry }),
  }
}

/** Null means that a key never expires. */
function isLater(expiry: string | null, other: string | null): boolean {
  return other !== null && (expiry === null || expiry > other)
}

/** The grace period sets the end of a rotated key. A rotation keeps the lifetime of the newest choice. */
function newExpiry({ rotated_at, rotated_to }: ApiKey, expiresAt: string | null, now: Date) {
  if (rotated_at !== null)
    throw keyConflict(
      'already_rotated',
      'This key has been rotated. It ends with its grace period.',
      rotated_to === null ? {} : { successor_id: rotated_to },
    )
  const expires_at = futureOrNever(expiresAt, now)
  return { expires_at, original_expires_at: expires_at }
}

/** Sets a key to `isActive`; toggles the key without `isActive`. Throws 404, and 409 for a revoked key. */
export async function toggleApiKey(deps: Deps, actor: Actor, id: string, isActive?: boolean): Promise<ApiKey> {
  return await change(deps, actor, contract.toggleApiKey, id, async (trx, key) => {
    if (key.revoked_at !== null) throw keyConflict('key_revoked', 'This key is revoked and cannot be activated again.')
    const is_active = isActive ?? !key.is_active
    if (key.is_active === is_active) return key
    return await queries.updateApiKeyRow(trx, id, { is_active })
  })
}

type Change = (trx: Transaction<Database>, key: ApiKey) => Promise<ApiKey>

/** Changes a locked key in a transaction and audits the changes, if any. Throws 404. */
export async function change(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  { schema }: { schema: { operationId: string } },
  id: string,
  apply: Change,
): Promise<ApiKey> {
  return await inTransaction(db, async (trx) => {
    const before = await queries.lockApiKey(trx, id)
    if (before === undefined) throw notFound('API key')
    const after = await apply(trx, before)
    const changes = lifecycleChanges(before, after)
    if (Object.keys(changes).length > 0)
      await writeAudit(trx, now(), actor, {
        action: schema.operationId,
        target: targetOf(after),
        changes,
      })
    return after
  })
}

/** The expiry as a Date, or null for never. Throws 400 for a past moment. */
export function futureOrNever(moment: string | null, now: Date): Date | null {
  if (moment === null) return null
  const at = new Date(moment)
  if (at <= now) throw badRequest('Choose an expiry in the future.')
  return at
}

/**
 * Throws 422 for a wildcard directly under an entry of the Public Suffix List
 * (publicsuffix.org), private suffixes included, because anyone can register names there. Takes normalized origins.
 */
function refusePublicWildcards(origins: readonly string[]): void {
  const suffix = origins
    .map(wildcardHost)
    .find((host) => host !== null && getPublicSuffix(host, { allowPrivateDomains: true }) === host)
  if (suffix) throw invalidField('allowed_origins', publicSuffixProblem(suffix))
}

/** Throws 409 at the maximum number of keys of a tenant. */
export function refuseTooMany(count: number): void {
  if (count >= contract.API_KEYS_PER_TENANT_MAX)
    throw conflict(
      `A tenant can have ${contract.API_KEYS_PER_TENANT_MAX} keys. Delete one that is not needed any more.`,
    )
}

/** 409 with the code of the violated rule. */
export function keyConflict(code: KeyConflict, detail: string, more: { successor_id?: string } = {}): AppError {
  return new AppError(409, detail, { code, extra: more })
}
