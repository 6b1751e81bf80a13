import { randomUUID } from 'node:crypto'
import * as contract from '@switchboard/contract/signals/webhooks'
import type {
  CreateWebhookBody,
  RotateWebhookSecretBody,
  UpdateWebhookBody,
  Webhook,
  WebhookFormat,
  WebhookWithSecret,
} from '@switchboard/contract/signals/webhooks'
import { addedFields, changedFields, removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { endOfLog } from '@switchboard/database/audit/read-log'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { inTransaction } from '@switchboard/database/in-transaction'
import { encryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import { conflict, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { renewDeliveries } from './webhook-deliveries.queries.ts'
import * as queries from './webhooks.queries.ts'

const HOUR_MS = 60 * 60 * 1_000
/** Random bytes of a secret; Standard Webhooks ask for 24 to 64. */
const SECRET_BYTES = 32

/** All webhooks, oldest first, without their secrets. */
export async function listWebhooks({ db }: Pick<Deps, 'db'>): Promise<Webhook[]> {
  return await queries.allWebhooks(db)
}

/**
 * Creates a webhook for the events from now on, and returns its secret. Throws 422 for an address that must not be called, and
 * 409 above the maximum.
 */
export async function createWebhook(
  deps: Deps,
  actor: Actor,
  { format = 'standard', url, description = '', event_types = [] }: CreateWebhookBody,
): Promise<WebhookWithSecret> {
  const address = callable(deps, url)
  const secret = format === 'standard' ? newSecret(deps) : null
  return await inTransaction(deps.db, async (trx) => {
    await queries.lockWebhooks(trx)
    if ((await queries.countWebhooks(trx)) >= contract.WEBHOOKS_MAX)
      throw conflict(`There can be ${contract.WEBHOOKS_MAX} webhooks. Delete one first.`)
    const [id, created_at] = [randomUUID(), deps.now()]
    const fields = { format, url: shownUrl(format, address), description, event_types: [...new Set(event_types)] }
    const stored = encryptSecret(deps, id, Buffer.from(secret ?? address))
    await queries.insertWebhook(trx, { id, ...fields, secret: stored, created_at }, await endOfLog(trx))
    const created = await lockWebhook(trx, id)
    await writeAudit(trx, created_at, actor, {
      action: contract.createWebhook.schema.operationId,
      target: targetOf(created),
      changes: addedFields(fields),
    })
    return { ...created, secret }
  })
}

/**
 * Changes a webhook, or switches it on or off. Throws 404, 422 for an address that must not be called, and 412 with the
 * current record unless its version is `expectedVersion` (if given).
 */
export async function updateWebhook(
  deps: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  { url, ...body }: UpdateWebhookBody,
): Promise<Webhook> {
  const address = url === undefined ? undefined : callable(deps, url)
  return await inTransaction(deps.db, async (trx) => {
    const before = await lockWebhook(trx, id)
    await refuseStale(trx, 'webhook', before, expectedVersion)
    const isSecretAddress = address !== undefined && before.format !== 'standard'
    const changed = { ...body, ...(address !== undefined && { url: shownUrl(before.format, address) }) }
    const changes = {
      ...changedFields(before, changed),
      // Its origin may be the same.
      ...(isSecretAddress && { address: SECRET_CHANGE }),
    }
    if (Object.keys(changes).length === 0) return before
    await queries.changeWebhook(trx, id, {
      ...changed,
      ...(isSecretAddress && { secret: encryptSecret(deps, id, Buffer.from(address)) }),
      ...(body.is_active === true && { disabled_reason: null, disabled_at: null, failing_since: null }),
    })
    if (body.is_active === true) await renewDeliveries(trx, id)
    const action = contract.updateWebhook.schema.operationId
    await writeAudit(trx, deps.now(), actor, { action, target: targetOf(before), changes })
    return await lockWebhook(trx, id)
  })
}

/** Makes a new secret and returns it. Deliveries are also signed with the previous one for some hours. Throws 404 and 409. */
export async function rotateWebhookSecret(
  deps: Deps,
  actor: Actor,
  id: string,
  { overlap_hours = contract.SECRET_OVERLAP_HOURS_DEFAULT }: RotateWebhookSecretBody,
): Promise<WebhookWithSecret> {
  return await inTransaction(deps.db, async (trx) => {
    const before = await lockWebhook(trx, id)
    if (before.format !== 'standard') throw conflict('Only webhooks of the standard format have a secret that signs.')
    const [secret, at] = [newSecret(deps), deps.now()]
    const old_secret_until = overlap_hours === 0 ? null : new Date(at.getTime() + overlap_hours * HOUR_MS)
    await queries.replaceSecret(trx, id, { secret: encryptSecret(deps, id, Buffer.from(secret)), old_secret_until })
    const action = contract.rotateWebhookSecret.schema.operationId
    const changes = {
      secret: SECRET_CHANGE,
      ...changedFields(
        { old_secret_until: before.old_secret_until },
        { old_secret_until: old_secret_until?.toISOString() ?? null },
      ),
    }
    await writeAudit(trx, at, actor, { action, target: targetOf(before), changes })
    return { ...(await lockWebhook(trx, id)), secret }
  })
}

/** Deletes a webhook with its deliveries. Throws 404. */
export async function deleteWebhook({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockWebhook(trx, id)
    await queries.removeWebhook(trx, id)
    const { format, url, description, event_types } = before
    await writeAudit(trx, now(), actor, {
      action: contract.deleteWebhook.schema.operationId,
      target: targetOf(before),
      changes: removedFields({ format, url, description, event_types }),
    })
  })
}

/** A typed address in its normal form. Throws 422 if it must not be called. The addresses of a name are checked later. */
function callable({ addressGuard }: Pick<Deps, 'addressGuard'>, typed: string): string {
  const url = new URL(typed)
  const refusal = addressGuard.refusalOf(url)
  if (refusal !== null) throw invalidField('url', refusal.message)
  return url.href
}

/** The rest of the address is a secret that lets everyone post who has it. */
function shownUrl(format: WebhookFormat, address: string): string {
  return format === 'standard' ? address : new URL(address).origin
}

function newSecret({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** Locks a webhook. Throws 404. */
export async function lockWebhook(trx: Transaction<Database>, id: string) {
  const webhook = await queries.lockWebhook(trx, id)
  if (webhook === undefined) throw notFound('Webhook')
  return webhook
}

function targetOf(webhook: Webhook) {
  return { type: 'webhook' as const, id: webhook.id, name: contract.webhookName(webhook), tenant_id: null }
}
