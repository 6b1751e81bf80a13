import { randomUUID } from 'node:crypto'
import * as contract from '@switchboard/contract/signals/log-sinks'
import type {
  CreateLogSinkBody,
  LogShipping,
  LogSink,
  UpdateLogSinkBody,
} from '@switchboard/contract/signals/log-sinks'
import { auditEnd } from '@switchboard/database/audit/audit-chain'
import { addedFields, changedFields, removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { deletedEnd } from '@switchboard/database/audit/deleted-months'
import { deletedMonths, lockDeletedMonths } from '@switchboard/database/audit/deleted-months.queries'
import { logSink, logSinks } from '@switchboard/database/audit/log-sinks.queries'
import { endOfLog } from '@switchboard/database/audit/read-log'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { inTransaction } from '@switchboard/database/in-transaction'
import { encryptSecret } from '@switchboard/database/stored-secrets/encryption'
import type { Database } from '@switchboard/database/tables'
import { conflict, invalidField, notFound } from '@switchboard/server/http/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { newSigningKeys, secretOf, settingsOf, wouldMoveHeaders } from './log-sink-settings.ts'
import * as queries from './log-sinks.queries.ts'

/** All log sinks, and the last deleted month. */
export async function logShipping({ db }: Pick<Deps, 'db'>): Promise<LogShipping> {
  const deleted = await deletedMonths(db)
  return { sinks: await logSinks(db), end: await endOfLog(db), deleted_until: deleted.at(-1)?.month ?? null }
}

/**
 * Creates a log sink. Throws 422 for fields that do not fit its kind or must not be called, and 409 above the maximum and while
 * a month is being deleted.
 */
export async function createLogSink(
  deps: Deps,
  actor: Actor,
  { kind, from = 'oldest', name, ...body }: CreateLogSinkBody,
): Promise<LogSink> {
  const needed = kind === 'file' ? {} : { address: '' }
  const fields = { kind, name, ...settingsOf(deps, kind, { ...needed, ...body }) }
  const id = randomUUID()
  const keys = kind === 'file' ? newSigningKeys() : null
  const secret = keys?.secret ?? secretOf(body)
  return await inTransaction(deps.db, async (trx) => {
    // The oldest row must still be there when the sink is.
    if (!(await lockDeletedMonths(trx))) throw conflict('A month of the audit log is being deleted. Try again.')
    if ((await queries.countSinks(trx)) >= contract.LOG_SINKS_MAX)
      throw conflict(`There can be ${contract.LOG_SINKS_MAX} log sinks. Delete one first.`)
    const created_at = deps.now()
    const position = from === 'now' ? await auditEnd(trx) : deletedEnd(await deletedMonths(trx))
    await queries.insertSink(trx, {
      id,
      ...fields,
      secret: secret === null ? null : encryptSecret(deps, id, secret),
      public_key: keys?.publicKey ?? null,
      first_seq: position.seq + 1,
      position: position.seq,
      position_hash: Buffer.from(position.hash, 'hex'),
      created_at,
    })
    const created = await sinkOf(trx, id)
    await writeAudit(trx, created_at, actor, {
      action: contract.createLogSink.schema.operationId,
      target: targetOf(created),
      changes: addedFields({ ...auditedFields(created), first_seq: created.first_seq }),
    })
    return created
  })
}

/**
 * Changes a log sink, or switches it on or off. Throws 404, 422 for fields that do not fit its kind or must not be called, and
 * 412 with the current record unless its version is `expectedVersion` (if given).
 */
export async function updateLogSink(
  deps: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  { name, is_on, ...body }: UpdateLogSinkBody,
): Promise<LogSink> {
  return await inTransaction(deps.db, async (trx) => {
    const before = await lockedSink(trx, id)
    await refuseStale(trx, 'log sink', before, expectedVersion)
    const fields = { name, is_on, ...settingsOf(deps, before.kind, body) }
    if (wouldMoveHeaders(before, body)) throw invalidField('headers', contract.HEADERS_NEEDED)
    const hasNewSecret = body.headers !== undefined || body.client_certificate !== undefined
    const changes = {
      ...changedFields<Record<string, unknown>>({ ...before }, fields),
      // The names may be the same.
      ...(hasNewSecret && { secret: SECRET_CHANGE }),
    }
    if (Object.keys(changes).length === 0) return before
    const secret = secretOf(body)
    await queries.changeSink(trx, id, {
      ...fields,
      ...(hasNewSecret && { secret: secret === null ? null : encryptSecret(deps, id, secret) }),
    })
    const after = await sinkOf(trx, id)
    const action = contract.updateLogSink.schema.operationId
    await writeAudit(trx, deps.now(), actor, { action, target: targetOf(after), changes })
    return after
  })
}

/** Asks a worker to send a test record. Throws 404. */
export async function testLogSink({ db, now }: Pick<Deps, 'db' | 'now'>, actor: Actor, id: string): Promise<LogSink> {
  return await inTransaction(db, async (trx) => {
    await lockedSink(trx, id)
    await queries.requestTest(trx, id)
    const after = await sinkOf(trx, id)
    await writeAudit(trx, now(), actor, { action: contract.testLogSink.schema.operationId, target: targetOf(after) })
    return after
  })
}

/** Deletes a log sink. Throws 404. */
export async function deleteLogSink({ db, now }: Pick<Deps, 'db' | 'now'>, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockedSink(trx, id)
    await queries.removeSink(trx, id)
    await writeAudit(trx, now(), actor, {
      action: contract.deleteLogSink.schema.operationId,
      target: targetOf(before),
      changes: removedFields({ ...auditedFields(before), position: before.position }),
    })
  })
}

async function lockedSink(trx: Transaction<Database>, id: string): Promise<LogSink> {
  await queries.lockSink(trx, id)
  return await sinkOf(trx, id)
}

async function sinkOf(db: Kysely<Database>, id: string): Promise<LogSink> {
  const sink = await logSink(db, id)
  if (sink === undefined) throw notFound('Log sink')
  return sink
}

function auditedFields({ kind, name, address, certificate_authority, header_names, public_key, is_on }: LogSink) {
  const all = { kind, name, address, certificate_authority, header_names, public_key, is_on }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null && !isEmpty(value)))
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function targetOf({ id, name }: LogSink) {
  return { type: 'log_sink', id, name, tenant_id: null } as const
}
