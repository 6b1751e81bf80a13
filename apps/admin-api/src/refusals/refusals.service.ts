import { type AuditEntry, writeAudit } from '@switchboard/database/audit.queries'
import { AppError, databaseError } from '@switchboard/server/errors'
import type { Log } from '@switchboard/server/log'
import type { ZodApp } from '@switchboard/server/zod-app'
import { z } from 'zod'
import { actorIfAny } from '#src/auth/authenticate.ts'
import type { Actor } from '#src/auth/sessions.service.ts'
import type { Deps } from '#src/deps.ts'

/** Refusals that say something about who tried what; the throttle (429) writes its own. */
const AUDITED = new Set([400, 403, 404, 409, 412, 422])

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
    await auditRefusal({ db, now, log: request.log }, actor, refusal, { action, ...targetOf(action, request.params) })
  })
}

/** As `auditRefusals`, for one refusal among others in a request. */
export async function auditRefusal(
  { db, now, log }: Pick<Deps, 'db' | 'now'> & { log: Pick<Log, 'error'> },
  actor: Actor,
  { statusCode, message }: AppError,
  about: Pick<AuditEntry, 'action' | 'target'>,
): Promise<void> {
  if (!AUDITED.has(statusCode)) return
  try {
    await db
      .transaction()
      .execute((trx) => writeAudit(trx, now(), actor, { ...about, outcome: 'refused', reason: message }))
  } catch (failure) {
    log.error({ err: failure }, 'a refusal could not be audited')
  }
}

/** What the path names, when it names one thing: `tenants.delete` of `:id` is about a tenant. */
function targetOf(action: string, params: unknown): Pick<AuditEntry, 'target'> {
  const ids = typeof params === 'object' && params !== null ? Object.values(params) : []
  const [id] = ids
  if (ids.length !== 1 || !z.uuid().safeParse(id).success) return {}
  return { target: { type: action.replace(/s?\..*$/, ''), id: String(id), name: null } }
}
