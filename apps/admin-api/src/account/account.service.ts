import * as contract from '@switchboard/contract/account'
import type { ProfileBody, UpdatedProfile } from '@switchboard/contract/account'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { type AuditEntry, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { invalidField, unauthorized } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { endResetLinks } from '#src/access/access.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { deleteOtherSessions } from '#src/sessions/sessions.queries.ts'
import { renewToken, type SignedInActor } from '#src/sessions/sessions.service.ts'
import { checkCurrentPassword } from '#src/auth/current-password.service.ts'
import { lockUserOfSession, updateEmail, updateUserRow } from '#src/auth/sign-in.queries.ts'

const ACTION = contract.updateProfile.schema.operationId

/** Changes the caller's own address or password: the body has exactly one. Throws the errors listed at the endpoint. */
export async function updateProfile(deps: Deps, actor: SignedInActor, body: ProfileBody): Promise<UpdatedProfile> {
  if (body.email !== undefined) return await changeEmail(deps, actor, body.email, body.current_password)
  return await changePassword(deps, actor, body.current_password ?? '', body.new_password ?? '')
}

async function changeEmail(
  deps: Deps,
  actor: SignedInActor,
  email: string,
  password?: string,
): Promise<UpdatedProfile> {
  const { db, now } = deps
  if (email === actor.email) return actor.admin
  if (password === undefined) throw invalidField('current_password', contract.PASSWORD_FOR_EMAIL)
  await checkCurrentPassword(deps, actor, password, ACTION)
  return await db.transaction().execute(async (trx) => {
    const before = await lockActor(deps, trx, actor)
    const changes = changedFields({ email: before.email }, { email })
    if (Object.keys(changes).length === 0) return actor.admin
    await updateEmail(trx, actor.id, email)
    await writeAudit(trx, now(), actor, audited(before, changes))
    return { ...actor.admin, email }
  })
}

/** Ends all other sessions and the links that reset the password, and renews the token of the calling session, so that a stolen token becomes invalid. */
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
  return await db.transaction().execute(async (trx) => {
    const before = await lockActor(deps, trx, actor)
    if (before.password_hash !== verified) throw unauthorized('Not authenticated')
    await updateUserRow(trx, actor.id, { password_hash: passwordHash })
    await deleteOtherSessions(trx, actor, now())
    await endResetLinks(trx, before)
    const renewed = await renewToken(deps, trx, actor.session_id)
    await writeAudit(trx, now(), actor, audited(before, { password: SECRET_CHANGE }))
    return { ...actor.admin, ...renewed }
  })
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
