import { auditTargetType } from '@switchboard/contract/activity'
import { type AuditTarget, lastNameOf, writeAudit } from '@switchboard/database/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { AppError, databaseError } from '@switchboard/server/http/errors'
import type { Log } from '@switchboard/server/process/log'
import type { ZodApp } from '@switchboard/server/http/zod-app'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { actorIfAny } from '#src/auth/authenticate.ts'
import type { Actor } from '#src/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'

/** Refusals that say something about who tried what; the throttle (429) writes its own. */
const AUDITED = new Set([400, 401, 403, 404, 409, 412, 422])

/**
 * Writes an audit row for every change by a signed-in admin that a rule of ours refused. What a schema or the server
 * itself cannot read is only logged, and so is a 401 without anybody signed in: anybody could fill the audit log with it.
 * The refused transaction is gone, so the row has one of its own; when even that fails, the log says so and the caller
 * still gets the refusal.
 */
export function auditRefusals(app: ZodApp, { db, now }: Pick<Deps, 'db' | 'now'>): void {
  app.addHook('onError', async (request, _reply, error) => {
    const actor = actorIfAny(request)
    const refusal = error instanceof AppError ? error : databaseError(error)
    const isChange = request.method !== 'GET' && request.routeOptions.config.reads !== true
    if (actor === null || refusal === null || !isChange) return
    const action = request.routeOptions.schema?.operationId ?? `${request.method} ${request.routeOptions.url}`
    const target = targetOf(action, request.params)
    await auditRefusal({ db, now, log: request.log }, actor, refusal, { action, ...(target && { target }) })
  })
}

/** What was refused to be changed; its name where it is known already. */
type RefusedTarget = Pick<AuditTarget, 'type' | 'id'> & { name?: string | null }

/** As `auditRefusals`, for one refusal among others in a request. */
export async function auditRefusal(
  { db, now, log }: Pick<Deps, 'db' | 'now'> & { log: Pick<Log, 'error'> },
  actor: Actor,
  { statusCode, message }: AppError,
  { action, target }: { action: string; target?: RefusedTarget },
): Promise<void> {
  if (!AUDITED.has(statusCode)) return
  try {
    await db.transaction().execute(async (trx) => {
      const entry = { action, outcome: 'refused' as const, reason: message }
      await writeAudit(trx, now(), actor, { ...entry, ...(target && { target: await named(trx, target) }) })
    })
  } catch (failure) {
    log.error({ err: failure }, 'a refusal could not be audited')
  }
}

/** What the path names, where it does: `tenants.delete` of `:id` is about a tenant, that of two ids about the last. */
function targetOf(action: string, params: unknown): RefusedTarget | null {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const id = z.uuid().safeParse(ids.at(-1))
  const [noun = ''] = action.split('.', 1)
  const type = auditTargetType.safeParse(noun.replace(/s$/, ''))
  return id.success && type.success ? { type: type.data, id: id.data } : null
}

/** As the log called it last: a refusal comes before or after it was looked up. */
async function named(trx: Transaction<Database>, { type, id, name }: RefusedTarget): Promise<AuditTarget> {
  const last = await lastNameOf(trx, id)
  const tenant_id = type === 'tenant' ? id : (last?.tenant_id ?? null)
  return { type, id, name: name ?? last?.name ?? null, tenant_id }
}
