import { email as addressOfAdmin } from '@switchboard/contract/admins'
import { login, logout, SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { writeAudit } from '@switchboard/database/audit.queries'
import { AppError } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'
import { expireSession } from './sessions.queries.ts'
import { type Actor, startSession } from './sessions.service.ts'
import {
  adminByEmail,
  deleteAttempts,
  deleteAttemptsBefore,
  lockVerifiedAdmin,
  setPasswordHash,
} from './sign-in.queries.ts'
import { attemptAt, foldEmail, inTurn, reserveAttempt, WINDOW_MS } from './throttle.service.ts'

const ACTION = login.schema.operationId
/** Looked up where there is no such account, so that the same work is done. */
const NOBODY = { id: '00000000-0000-0000-0000-000000000000', password_hash: '' }

export type Caller = { address: string; request_id: string; user_agent: string | null }

/**
 * Signs a super admin in. Whatever is wrong (e-mail, password, an inactive or an ordinary user) gets the same 401
 * after the same work; after too many failures 429. All outcomes are audited.
 */
export async function signIn(deps: Deps, caller: Caller, { email, password }: { email: string; password: string }) {
  return await inTurn(async () => {
    const { db, now, passwords } = deps
    const foldedEmail = foldEmail(email)
    const attempt = attemptAt(foldedEmail, caller.address)
    const stranger = { id: null, email: auditedEmail(email), address: caller.address, request_id: caller.request_id }
    await reserveAttempt(deps, attempt, { actor: stranger, action: ACTION, foldedEmail })

    const admin = await adminByEmail(db, foldedEmail)
    const matches = await passwords.verify(admin?.password_hash ?? null, password)
    const isOutdated = admin !== undefined && matches && passwords.isOutdated(admin.password_hash)
    const newHash = isOutdated ? await passwords.hash(password) : null
    const session = await db.transaction().execute(async (trx) => {
      // Locked and looked at again: a reset or deactivation while the password was hashed comes first.
      const mayEnter = await lockVerifiedAdmin(trx, admin ?? NOBODY)
      if (admin === undefined || !matches || !mayEnter) {
        await writeAudit(trx, now(), stranger, { action: ACTION, outcome: 'refused', reason: SIGN_IN_REFUSED })
        return null
      }
      await deleteAttempts(trx, attempt)
      if (newHash !== null) await setPasswordHash(trx, admin.id, newHash)
      const { address, user_agent } = caller
      const started = await startSession(deps, trx, { admin_id: admin.id, address, user_agent })
      await writeAudit(
        trx,
        now(),
        { ...stranger, id: admin.id, email: admin.email },
        { action: ACTION, outcome: 'done' },
      )
      return { ...started, token_type: 'bearer' as const, admin }
    })
    if (session === null) throw new AppError(401, SIGN_IN_REFUSED)
    await deleteAttemptsBefore(db, new Date(now().getTime() - WINDOW_MS))
    return session
  })
}

/** Ends the session on the server; its token opens nothing from here on. */
export async function signOut({ db, now }: Deps, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await expireSession(trx, actor.session_id, now())
    await writeAudit(trx, now(), actor, { action: logout.schema.operationId, outcome: 'done' })
  })
}

/** People type passwords into the wrong field: what is not an address is not written down. */
function auditedEmail(typed: string): string | null {
  return addressOfAdmin.safeParse(typed).data ?? null
}
