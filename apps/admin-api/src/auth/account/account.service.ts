import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/account'
import type { ProfileBody, UpdatedProfile } from '@switchboard/contract/account'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { type AuditEntry, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { invalidField, unauthorized } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { refuseUnconfirmed } from '#src/auth/confirmation/confirmation.service.ts'
import { hasSecondFactor } from '#src/auth/second-factors/challenges.service.ts'
import { endLinks } from '#src/auth/access/access.service.ts'
import { tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import type { Deps } from '#src/deps.ts'
import { changeEmail } from '#src/auth/email-changes/email-changes.service.ts'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { deleteOtherSessions } from '#src/auth/sessions/sessions.queries.ts'
import { renewToken, type SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { checkCurrentPassword } from '#src/auth/current-password.service.ts'
import { lockUserOfSession } from '#src/auth/sign-in.queries.ts'
import { updateUserRow } from '#src/users/users.queries.ts'

const ACTION = contract.updateProfile.schema.operationId

/** Changes the caller's own address or password: the body has exactly one. Throws the errors listed at the endpoint. */
export async function updateProfile(deps: Deps, actor: SignedInActor, body: ProfileBody): Promise<UpdatedProfile> {
  if (await hasSecondFactor(deps.db, actor.id)) refuseUnconfirmed(deps, actor)
  if (body.email !== undefined) return await changeOwnEmail(deps, actor, body.email, body.current_password)
  return await changePassword(deps, actor, body.current_password ?? '', body.new_password ?? '')
}

async function changeOwnEmail(
  deps: Deps,
  actor: SignedInActor,
  email: string,
  password?: string,
): Promise<UpdatedProfile> {
  const { db, now } = deps
  if (email === actor.email) return actor.admin
  if (password === undefined) throw invalidField('current_password', contract.PASSWORD_FOR_EMAIL)
  await checkCurrentPassword(deps, actor, password, ACTION)
  return await inTransaction(db, async (trx) => {
    const before = await lockActor(deps, trx, actor)
    if (email === before.email) return actor.admin
    const { isPending, changes } = await changeEmail(deps, trx, actor, before, email)
    await writeAudit(trx, now(), actor, audited(before, changes))
    if (isPending) return { ...actor.admin, pending_email: email }
    await endOtherAccess(deps, trx, actor, before)
    return { ...actor.admin, email }
  })
}

/**
 * Ends all other sessions and the links of the account, and renews the token of the calling session, because it may
 * have been stolen.
 */
async function changePassword(
  deps: Deps,
  actor: SignedInActor,
  current: string,
  next: string,
): Promise<UpdatedProfile> {
  const { db, now, passwords } = deps
  const verified = await checkCurrentPassword(deps, actor, current, ACTION)
  await refuseGuessable(deps, 'new_password', next, { owner: 'console', names: [actor.email] })
  const passwordHash = await passwords.hash(next)
  return await inTransaction(db, async (trx) => {
    const before = await lockActor(deps, trx, actor)
    if (before.password_hash !== verified) throw unauthorized('Not authenticated')
    await updateUserRow(trx, actor.id, { password_hash: passwordHash })
    await endOtherAccess(deps, trx, actor, before)
    const renewed = await renewToken(deps, trx, actor.session_id)
    await tellAccount(deps, trx, actor, before, ['The password was changed.'])
    await writeAudit(trx, now(), actor, audited(before, { password: SECRET_CHANGE }))
    return { ...actor.admin, ...renewed }
  })
}

async function endOtherAccess(
  { now }: Deps,
  trx: Transaction<Database>,
  actor: SignedInActor,
  account: { id: string; email: string },
): Promise<void> {
  await deleteOtherSessions(trx, actor, now())
  await endLinks(trx, account)
}

/** The caller's account, locked. Throws 401 if the session has ended since the authentication of the request. */
async function lockActor({ now }: Deps, trx: Transaction<Database>, actor: SignedInActor) {
  const admin = await lockUserOfSession(trx, actor, now())
  if (admin === undefined) throw unauthorized('Not authenticated')
  return admin
}

function audited({ id, email }: { id: string; email: string }, changes: AuditChanges): AuditEntry {
  return {
    action: ACTION,
    target: { type: 'user', id, name: email, tenant_id: null },
    changes,
  }
}
