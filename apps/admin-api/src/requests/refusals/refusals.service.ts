import { inTransaction } from '@switchboard/database/in-transaction'
import { auditTargetType } from '@switchboard/contract/activity'
import { CONFIRMATION_REQUIRED } from '@switchboard/contract/auth/confirmed'
import { type AuditTarget, lastNameOf, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { AppError, databaseError } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { actorIfAny } from '#src/auth/authenticate.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'

/** Audited status codes. The throttle audits its own refusals (429). */
const AUDITED = new Set([400, 401, 403, 404, 409, 412, 422])

/**
 * Audits every refused change by a signed-in member or a service token. Requests refused by a schema or by the server itself are
 * only logged, as is a 401 without a session, because anonymous requests could fill the audit log. A call before its
 * confirmation is only logged as well: the console repeats it, and wrong passwords of confirmations are audited. The refused
 * transaction is rolled back, so the entry has its own transaction. If that fails too, the error is logged and the
 * caller still gets the refusal.
 */
export function auditRefusals(app: ZodApp, { db, now }: Pick<Deps, 'db' | 'now'>): void {
  app.addHook('onError', async (request, _reply, error) => {
    const actor = actorIfAny(request)
    const refusal = error instanceof AppError ? error : databaseError(error)
    const isChange = request.method !== 'GET' && request.routeOptions.config.reads !== true
    if (actor === null || refusal === null || !isChange || refusal.code === CONFIRMATION_REQUIRED) return
    const action = request.routeOptions.schema?.operationId ?? `${request.method} ${request.routeOptions.url}`
    const target = targetOf(action, request.params) ?? unmadeRecord(action, request.body)
    await auditRefusal({ db, now, log: request.log }, actor, refusal, { action, ...(target && { target }) })
  })
}

/** Target of the refused change, with its name if known. */
type RefusedTarget = Pick<AuditTarget, 'type' | 'id'> & Partial<AuditTarget>

/** Like `auditRefusals`, but for a single refusal in a bulk request. */
export async function auditRefusal(
  { db, now, log }: Pick<Deps, 'db' | 'now'> & { log: Pick<Log, 'error'> },
  actor: Actor,
  { statusCode, message }: AppError,
  { action, target }: { action: string; target?: RefusedTarget },
): Promise<void> {
  if (!AUDITED.has(statusCode)) return
  try {
    await inTransaction(db, async (trx) => {
      const entry = { action, outcome: 'refused' as const, reason: message }
      await writeAudit(trx, now(), actor, { ...entry, ...(target && { target: await named(trx, target) }) })
    })
  } catch (failure) {
    log.error({ err: failure }, 'a refusal could not be audited')
  }
}

/** Target named by the path: the noun of the operation and the last id of the path. A member is the first id, a user. */
function targetOf(action: string, params: unknown): RefusedTarget | null {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const [noun = ''] = action.split('.', 1)
  const id = z.uuid().safeParse(noun === 'team' ? ids[0] : ids.at(-1))
  const type = auditTargetType.safeParse(noun === 'team' ? 'user' : noun.replace(/s$/, ''))
  return id.success && type.success ? { type: type.data, id: id.data } : null
}

/** The record that a refused creation describes: its name and tenant. */
function unmadeRecord(action: string, body: unknown): RefusedTarget | null {
  const [noun = '', verb] = action.split('.')
  const type = auditTargetType.safeParse(noun.replace(/s$/, ''))
  const { data } = newRecord.safeParse(body)
  const name = data?.email ?? data?.name ?? null
  if (verb !== 'create' || !type.success || name === null) return null
  return { type: type.data, id: null, name, tenant_id: data?.tenant_id ?? null }
}

const newRecord = z.object({
  email: z.string().optional(),
  name: z.string().nullish(),
  tenant_id: z.uuid().optional(),
})

/** Last known name of the target in the audit log. */
async function named(trx: Transaction<Database>, target: RefusedTarget): Promise<AuditTarget> {
  const { type, id, name = null, tenant_id = null } = target
  if (id === null) return { type, id, name, tenant_id }
  const last = await lastNameOf(trx, id)
  return { type, id, name: name ?? last?.name ?? null, tenant_id: type === 'tenant' ? id : (last?.tenant_id ?? null) }
}
