import { inTransaction } from '@switchboard/database/in-transaction'
import { SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { LINK_REFUSED } from '@switchboard/contract/links'
import * as contract from '@switchboard/contract/users/user-verification'
import type { VerifiedUser } from '@switchboard/contract/users/user-verification'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { addedFields, type AuditEntry, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import type { Database } from '@switchboard/database/tables'
import { linkTokenHash } from '@switchboard/mail/links'
import { AppError, notFound } from '@switchboard/server/http/errors'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { insertPortalSignIn } from '@switchboard/sign-in/portal-sign-ins.queries'
import type { Transaction } from 'kysely'
import type { RequestTenant } from '#src/api-keys/request-key.service.ts'
import type { Deps } from '#src/deps.ts'
import { verifyInvitation } from './verify-invitation.ts'
import { type Caller, type Credentials, verifyPassword } from './verify-password.ts'
import { deleteInvitation, hasTenant, lockVerifiedUser, type TenantUser, updateUserRow } from './users.queries.ts'

export type UserDeps = Pick<Deps, 'db' | 'now' | 'passwords' | 'signInFailures' | 'consoleSettings'>

/** Throws 404 for a tenant that a service token names and that does not exist. The tenant of a key exists. */
export async function requireTenant({ db }: Pick<Deps, 'db'>, { tenant_id, by }: RequestTenant): Promise<void> {
  if ('service_token_id' in by && !(await hasTenant(db, tenant_id))) throw notFound('Tenant')
}

/** Verifies a user of the caller's tenant and records the sign-in. Throws the errors listed at the endpoint. */
export async function verifyUser(deps: UserDeps, caller: Caller, credentials: Credentials): Promise<VerifiedUser> {
  const { passwords } = deps
  const action = contract.verifyUser.schema.operationId
  const user = await verifyPassword(deps, caller, {
    ...credentials,
    action,
    accept: async (trx, verified) => {
      if (passwords.isOutdated(verified.password_hash))
        await updateUserRow(trx, verified.id, { password_hash: await passwords.hash(credentials.password) })
      await recordSignIn(deps, trx, caller, verified)
    },
  })
  return answerOf(user)
}

/** Gives a user of the caller's tenant a new password. Throws the errors listed at the endpoint. */
export async function changePassword(
  deps: UserDeps,
  caller: Caller,
  { new_password, ...credentials }: Credentials & { new_password: string },
): Promise<VerifiedUser> {
  const action = contract.changeUserPassword.schema.operationId
  const user = await verifyPassword(deps, caller, { ...credentials, action, accept: async () => {} })
  return await savePassword(deps, caller, user, { action, new_password, refusal: SIGN_IN_REFUSED })
}

/** Gives an invited user of the caller's tenant the first password. Throws the errors listed at the endpoint. */
export async function acceptInvitation(
  deps: UserDeps,
  caller: Caller,
  { token, new_password }: { token: string; new_password: string },
): Promise<VerifiedUser> {
  const action = contract.acceptUserInvitation.schema.operationId
  const tokenHash = linkTokenHash(token)
  const user = await verifyInvitation(deps, caller, { tokenHash, action })
  return await savePassword(deps, caller, user, {
    action,
    new_password,
    refusal: LINK_REFUSED,
    complete: async (trx) => {
      if (!(await deleteInvitation(trx, tokenHash, deps.now()))) throw new AppError(401, LINK_REFUSED)
      await recordSignIn(deps, trx, caller, user)
    },
  })
}

/**
 * `refusal` is the sentence for a user who has changed since the verification. `complete` runs in the transaction that stores the
 * password, with the user locked.
 */
type NewPassword = {
  action: string
  new_password: string
  refusal: string
  complete?: (trx: Transaction<Database>) => Promise<void>
}

async function savePassword(
  deps: UserDeps,
  caller: Caller,
  user: TenantUser,
  { action, new_password, refusal, complete = async () => {} }: NewPassword,
): Promise<VerifiedUser> {
  const { db, now, passwords } = deps
  const { id, email, tenant_name, tenant_subdomain } = user
  const names = [email, tenant_name, tenant_subdomain]
  await refuseGuessable(deps, 'new_password', new_password, { owner: 'tenant', names })
  const password_hash = await passwords.hash(new_password)
  await inTransaction(db, async (trx) => {
    // A new password, a deactivation or a deletion during the hashing takes precedence.
    if (!(await lockVerifiedUser(trx, caller.tenant_id, user))) throw new AppError(401, refusal)
    await updateUserRow(trx, id, { password_hash, must_change_password: false })
    await complete(trx)
    const changes = {
      password: SECRET_CHANGE,
      ...changedFields({ must_change_password: user.must_change_password }, { must_change_password: false }),
    }
    const { address, request_id } = caller
    await writeAudit(trx, now(), { id, email, address, request_id }, entryOf(action, caller, user, changes))
  })
  return answerOf({ ...user, must_change_password: false })
}

async function recordSignIn(
  { now }: Pick<UserDeps, 'now'>,
  trx: Transaction<Database>,
  { tenant_id, address, request_id }: Caller,
  { id, email }: TenantUser,
): Promise<void> {
  await updateUserRow(trx, id, { last_sign_in_at: now() })
  const done = { outcome: 'done' as const, reason: null, address, request_id }
  await insertPortalSignIn(trx, { ...done, tenant_id, user_id: id, email, at: now() })
}

/** Names the API key or the service token among the changes: the audit log has no column for the source of a call. */
function entryOf(
  action: string,
  { by, tenant_id }: Caller,
  { id, email }: TenantUser,
  changes: AuditChanges = {},
): AuditEntry {
  return {
    action,
    target: { type: 'user', id, name: email, tenant_id },
    changes: { ...changes, ...addedFields(by) },
  }
}

function answerOf({ id, email, name, role, must_change_password }: TenantUser): VerifiedUser {
  return { user: { id, email, name, role, must_change_password } }
}
