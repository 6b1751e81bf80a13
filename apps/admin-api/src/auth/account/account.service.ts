import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/account'
import type { ProfileBody, UpdatedProfile } from '@switchboard/contract/account'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { type AuditEntry, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
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
import { changeUserRow, updateUserRow } from '#src/users/users.queries.ts'

const ACTION = contract.updateProfile.schema.operationId

/** Changes the caller's own name and address, or the password. Throws the errors listed at the endpoint. */
export async function updateProfile(deps: Deps, actor: SignedInActor, body: ProfileBody): Promise<UpdatedProfile> {
  const { name, email, current_password, new_password } = body
  const isOfSignIn = email !== undefined || new_password !== undefined
  if (isOfSignIn && (await hasSecondFactor(deps.db, actor.id))) refuseUnconfirmed(deps, actor)
  if (new_password !== undefined) return await changePassword(deps, actor, current_password ?? '', new_password)
  if (email !== undefined && email !== actor.email) {
    if (current_password === undefined) throw invalidField('current_password', contract.PASSWORD_FOR_EMAIL)
    await checkCurrentPassword(deps, actor, current_password, ACTION)
  }
  return await changeDetails(deps, actor, { name, email: email ?? actor.email })
}

async function changeDetails(
  deps: Deps,
  actor: SignedInActor,
  { name, email }: { name: string | null | undefined; email: string },
): Promise<UpdatedProfile> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const before = await lockActor(deps, trx, actor)
    const ofName = name === undefined ? {} : changedFields({ name: before.name }, { name })
    const isNewName = Object.keys(ofName).length > 0
    if (isNewName) await changeUserRow(trx, actor.id, { name: name ?? null })
    const isNewEmail = email !== actor.email && email !== before.email
    const ofEmail = isNewEmail ? await changeEmail(deps, trx, actor, before, email) : null
    if (isNewName || isNewEmail)
      await writeAudit(trx, now(), actor, audited(before, { ...ofName, ...ofEmail?.changes }))
    const admin = { ...actor.admin, name: name === undefined ? before.name : name }
    if (ofEmail === null) return admin
    if (ofEmail.isPending) return { ...admin, pending_email: email }
    await endOtherAccess(deps, trx, actor, before)
    return { ...admin, email }
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
