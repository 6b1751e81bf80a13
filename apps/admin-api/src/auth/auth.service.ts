import { SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { type AuditActor, writeAudit } from '@switchboard/database/audit.queries'
import { AppError } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'
import { deleteSession } from './sessions.queries.ts'
import { type Actor, startSession } from './sessions.service.ts'
import { adminByEmail, deleteAttempts, deleteAttemptsBefore, setPasswordHash } from './sign-in.queries.ts'
import { accountHash, reserveAttempt, WINDOW_MS } from './throttle.service.ts'

export type Caller = { address: string; request_id: string; user_agent: string | null }

/**
 * Signs a super admin in. Whatever is wrong (e-mail, password, an inactive or an ordinary user) gets the same 401
 * after the same work; after too many failures 429. Both outcomes are audited.
 */
export async function signIn(deps: Deps, caller: Caller, { email, password }: { email: string; password: string }) {
  const { db, now, passwords } = deps
  const account = accountHash(email)
  await reserveAttempt(deps, account, caller.address)

  const admin = await adminByEmail(db, email.trim())
  const matches = await passwords.verify(admin?.password_hash ?? null, password)
  if (admin === undefined || !matches || !admin.is_active || admin.role !== 'super_admin') {
    const actor: AuditActor = {
      id: null,
      email: auditedEmail(email),
      address: caller.address,
      request_id: caller.request_id,
    }
    await db.transaction().execute(async (trx) => {
      await writeAudit(trx, now(), actor, { action: 'auth.login', outcome: 'refused', reason: SIGN_IN_REFUSED })
    })
    throw new AppError(401, SIGN_IN_REFUSED)
  }

  const newHash = passwords.isOutdated(admin.password_hash) ? await passwords.hash(password) : null
  return await db.transaction().execute(async (trx) => {
    await deleteAttempts(trx, account, caller.address)
    await deleteAttemptsBefore(trx, new Date(now().getTime() - WINDOW_MS))
    if (newHash !== null) await setPasswordHash(trx, admin.id, newHash)
    const session = await startSession(deps, trx, {
      admin_id: admin.id,
      address: caller.address,
      user_agent: caller.user_agent,
    })
    const actor = { id: admin.id, email: admin.email, address: caller.address, request_id: caller.request_id }
    await writeAudit(trx, now(), actor, { action: 'auth.login', outcome: 'done' })
    return { ...session, token_type: 'bearer' as const, admin }
  })
}

/** Ends the session on the server; its token opens nothing from here on. */
export async function signOut({ db, now }: Deps, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await deleteSession(trx, actor.session_id)
    await writeAudit(trx, now(), actor, { action: 'auth.logout', outcome: 'done' })
  })
}

/** People type passwords into the wrong field: what does not look like an address is not written down. */
function auditedEmail(typed: string): string | null {
  return /^[^\s@]+@[^\s@]+$/.test(typed.trim()) ? typed.trim() : null
}
