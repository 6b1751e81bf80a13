import { foldEmail } from '@switchboard/contract/auth/email-address'
import * as contract from '@switchboard/contract/users'
import type { User } from '@switchboard/contract/users'
import { type AuditEntry, removedFields, writeAudits } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { notFound, taken } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { endAccess, endInvitationsTo } from '#src/auth/access/access.service.ts'
import { tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { moveAway, moveBack } from '#src/lists/deletions/deletions.queries.ts'
import { lockDeletion } from '#src/lists/deletions/deletions.service.ts'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { heldEmails } from './import-users.queries.ts'
import { lockSuperAdmins } from './super-admins.queries.ts'
import { refuseConsoleAccount, refuseLastSuperAdmin, refuseRemovedActor } from './super-admins.service.ts'
import { userById } from './users.queries.ts'
import { lockForChange, targetOf } from './users.service.ts'

/** Deletes a user with their sessions. Throws 404, and 409 for the caller's account and the last active super admin. */
export async function deleteUser(deps: Deps, actor: Actor, id: string): Promise<void> {
  const { db, now } = deps
  await inTransaction(db, async (trx) => {
    const user = await lockForChange(trx, id)
    refuseConsoleAccount(deps, actor, user)
    await refuseLastSuperAdmin(trx, actor, user, 'delete')
    const at = now()
    const ended = await hideUser(trx, at, user)
    if (user.tenant_id === null) await tellAccount(deps, trx, actor, user, ['The account was removed.'])
    const { email, role, tenant_id } = user
    const entry = {
      action: contract.deleteUser.schema.operationId,
      target: targetOf(user),
      changes: removedFields({ email, role, tenant_id }),
    }
    await writeAudits(trx, at, actor, [...ended, entry])
  })
}

/**
 * Ends the access of a locked user permanently, and moves the user to `deletions`, so that the user can be
 * restored. Returns the audit log entries for the ended access.
 */
export async function hideUser(
  trx: Transaction<Database>,
  at: Date,
  user: Pick<User, 'id' | 'email' | 'tenant_id'>,
): Promise<AuditEntry[]> {
  const ended = await endAccess(trx, at, user)
  await moveAway(trx, 'users', user.id)
  return ended
}

/**
 * Restores a deleted user with their second factors and identities. Their sessions, links, invitations and machine
 * tokens stay ended. Withdraws an invitation that was sent to the person in the meantime. Does nothing for a user who is
 * not deleted. Throws 404, 403 for an account of the console without the capability `team`, and 409 for an address that
 * another user has, or while the tenant is deleted.
 */
export async function restoreUser(deps: Deps, actor: Actor, id: string): Promise<User> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    await lockSuperAdmins(trx)
    const deletion = await lockDeletion(trx, 'users', id)
    if (deletion !== undefined) {
      refuseConsoleAccount(deps, actor, deletion.record)
      await refuseRemovedActor(trx, actor)
      await moveBack(trx, 'users', id)
    }
    const user = await userById(trx, id)
    if (user === undefined) throw notFound('Deleted user')
    if (deletion === undefined) return user
    await refuseHeldEmail(trx, user)
    if (user.tenant_id === null) await tellAccount(deps, trx, actor, user, ['The removed account was restored.'])
    const ended = user.tenant_id === null ? await endInvitationsTo(trx, user.email) : []
    const entry = { action: contract.restoreUser.schema.operationId, target: targetOf(user) }
    await writeAudits(trx, now(), actor, [...ended, entry])
    return user
  })
}

/** Throws 409 when a user of a deleted tenant has the address, so that the tenant can be restored. */
async function refuseHeldEmail(trx: Transaction<Database>, { email }: User): Promise<void> {
  const { ofDeletedTenants } = await heldEmails(trx, [foldEmail(email)])
  if (ofDeletedTenants.size > 0) throw taken('users_email_unique_with_deleted')
}
