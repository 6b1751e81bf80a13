import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/account'
import type { OwnSession } from '@switchboard/contract/account'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { deleteOtherSessions, deleteSessionOfUser, liveSessionsOfUser } from '#src/auth/sessions/sessions.queries.ts'
import { liveLimits, type SignedInActor } from '#src/auth/sessions/sessions.service.ts'

/** The caller's own live sessions, last used first. */
export async function ownSessions({ db, now }: Deps, actor: SignedInActor): Promise<OwnSession[]> {
  const sessions = await liveSessionsOfUser(db, actor.id, liveLimits(now()))
  return sessions.map((session) => ({ ...session, is_current: session.id === actor.session_id }))
}

/** Ends one of the caller's own sessions. Throws 404, also for the session of another account. */
export async function endSession({ db, now }: Deps, actor: SignedInActor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await deleteSessionOfUser(trx, actor.id, id, now()))) throw notFound('Session')
    await writeAudit(trx, now(), actor, {
      action: contract.endSession.schema.operationId,
      target: { type: 'session', id, name: actor.email, tenant_id: null },
    })
  })
}

/** Ends all sessions of the caller except the calling session. */
export async function endOtherSessions({ db, now }: Deps, actor: SignedInActor): Promise<void> {
  await inTransaction(db, async (trx) => {
    const ended = await deleteOtherSessions(trx, actor, now())
    if (ended === 0) return
    await writeAudit(trx, now(), actor, {
      action: contract.endOtherSessions.schema.operationId,
      target: { type: 'user', id: actor.id, name: actor.email, tenant_id: null },
      changes: { other_sessions: { before: ended, after: 0 } },
    })
  })
}
