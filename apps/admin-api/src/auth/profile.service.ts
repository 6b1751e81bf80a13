import type { CurrentAdmin } from '@switchboard/contract/admins'
import { FRESH_SIGN_IN_MS, type ProfileBody, updateProfile as updating } from '@switchboard/contract/profile'
import { writeAudit } from '@switchboard/database/audit.queries'
import type { AuditChanges } from '@switchboard/database/tables'
import { badRequest, invalidField, unauthorized } from '@switchboard/server/errors'
import type { Deps } from '#src/deps.ts'
import { refuseGuessable } from './new-password.service.ts'
import { deleteOtherSessions } from './sessions.queries.ts'
import type { Actor } from './sessions.service.ts'
import { deleteAttempts, lockVerifiedAdmin, passwordHashOf, setEmail, setPasswordHash } from './sign-in.queries.ts'
import { accountHash, foldEmail, reserveAttempt } from './throttle.service.ts'

/** Changes the caller's own address or password: the body has one of them. What it throws stands at the endpoint. */
export async function updateProfile(deps: Deps, actor: Actor, body: ProfileBody): Promise<CurrentAdmin> {
  if (body.email !== undefined) return await changeEmail(deps, actor, body.email, body.current_password)
  return await changePassword(deps, actor, body.current_password ?? '', body.new_password ?? '')
}

async function changeEmail(deps: Deps, actor: Actor, email: string, password?: string): Promise<CurrentAdmin> {
  const { db, now } = deps
  if (password !== undefined) await checkCurrentPassword(deps, actor, password)
  else if (now().getTime() - Date.parse(actor.signed_in_at) > FRESH_SIGN_IN_MS) {
    throw invalidField('current_password', 'Enter your current password to change your e-mail address.')
  }
  if (email === actor.email) return actor.admin
  return await db.transaction().execute(async (trx) => {
    await setEmail(trx, actor.id, email)
    const changes = { email: { before: actor.email, after: email } }
    await writeAudit(trx, now(), actor, audited(actor, changes))
    return { ...actor.admin, email }
  })
}

/** All other sessions end; this one stays. */
async function changePassword(deps: Deps, actor: Actor, current: string, next: string): Promise<CurrentAdmin> {
  const { db, now, passwords } = deps
  const verified = await checkCurrentPassword(deps, actor, current)
  refuseGuessable(deps, 'new_password', next, { email: actor.email })
  const passwordHash = await passwords.hash(next)
  return await db.transaction().execute(async (trx) => {
    // A reset or deactivation while the passwords were hashed comes first.
    const isUnchanged = await lockVerifiedAdmin(trx, { id: actor.id, password_hash: verified })
    if (!isUnchanged) throw unauthorized('Not authenticated')
    await setPasswordHash(trx, actor.id, passwordHash)
    await deleteOtherSessions(trx, actor.id, actor.session_id)
    await writeAudit(trx, now(), actor, audited(actor, { password: { before: '•••', after: '•••' } }))
    return actor.admin
  })
}

/**
 * Counted as a failed sign-in until it turns out right: a stolen session is no way around the throttle. Returns the
 * hash that it was held against.
 */
async function checkCurrentPassword(deps: Deps, actor: Actor, password: string): Promise<string> {
  const attempt = { account: accountHash(foldEmail(actor.email)), address: actor.address ?? '' }
  await reserveAttempt(deps, attempt, { actor, action: updating.schema.operationId })
  const verified = await passwordHashOf(deps.db, actor.id)
  const matches = await deps.passwords.verify(verified, password)
  if (!matches || verified === null) throw badRequest('Current password is incorrect')
  await deleteAttempts(deps.db, attempt)
  return verified
}

function audited(actor: Actor, changes: AuditChanges) {
  return {
    action: updating.schema.operationId,
    outcome: 'done' as const,
    target: { type: 'admin', id: actor.id, name: actor.email },
    changes,
  }
}
