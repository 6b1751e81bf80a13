import * as contract from '@switchboard/contract/users'
import type { ToggledUser, UpdatedUser, UpdateUserBody, User } from '@switchboard/contract/users'
import { type AuditTarget, changedFields, writeAudits } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { standingChanges, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { refuseUnconfirmed } from '#src/auth/confirmation/confirmation.service.ts'
import { endLostAccess, endOpenAccess } from '#src/auth/access/access.service.ts'
import { liveSessionsOfUser } from '#src/auth/sessions/sessions.queries.ts'
import { type Actor, liveLimits } from '#src/auth/sessions/sessions.service.ts'
import { lockSuperAdmins } from './super-admins.queries.ts'
import { refuseConsoleAccount, refuseLastSuperAdmin, refuseRemovedActor } from './super-admins.service.ts'
import type { Deps } from '#src/deps.ts'
import { changeEmail } from '#src/auth/email-changes/email-changes.service.ts'
import { refuseStale } from '#src/requests/refusals/stale.service.ts'
import { changeUserRow, lockUser, userById } from './users.queries.ts'

const INACTIVE_ACCOUNT = 'Activate the account before you change its email address.'
const OWN_ACCOUNT = 'Change your own account in Settings.'
const CONSOLE_ACCOUNT = 'A person who runs the console belongs to no tenant. The team page changes the role.'

/** A user. Throws 404. */
export async function userOf({ db }: Pick<Deps, 'db'>, id: string): Promise<User> {
  const user = await userById(db, id)
  if (user === undefined) throw notFound('User')
  return user
}

/**
 * Changes the given fields. A deactivation or a new address ends the sessions and links of the user. Throws 404 for an
 * unknown user or tenant, 403 and 409 by the rules of `refuseChange`, and 412 with the current record unless its
 * version is `expectedVersion` (if given).
 */
export async function updateUser(
  deps: Deps,
  actor: Actor,
  { id, expectedVersion }: { id: string; expectedVersion: number | null },
  body: UpdateUserBody,
): Promise<UpdatedUser> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const before = await lockForChange(trx, id, body.tenant_id)
    await refuseStale(trx, 'user', before, expectedVersion)
    const changes = changedFields<Record<string, unknown>>(before, body)
    if (Object.keys(changes).length === 0) return before
    await refuseChange(deps, trx, actor, before, body)
    const { email = before.email, ...fields } = body
    const isNewEmail = email !== before.email
    const ofConsole =
      before.tenant_id === null && isNewEmail ? await changeEmail(deps, trx, actor, before, email) : null
    const after = await changeUserRow(trx, id, ofConsole === null ? body : fields)
    if (isNewEmail && ofConsole?.isPending !== true) await endOpenAccess(trx, before)
    const ended = await endLostAccess(trx, now(), after)
    if (before.tenant_id === null) await tellAccount(deps, trx, actor, after, standingChanges(before, after))
    const entry = {
      action: contract.updateUser.schema.operationId,
      target: targetOf(after),
      changes:
        ofConsole === null
          ? changes
          : { ...changedFields<Record<string, unknown>>(before, fields), ...ofConsole.changes },
    }
    await writeAudits(trx, now(), actor, [...ended, entry])
    // If the same call deactivates the account, the link of the new address has already ended.
    if (ofConsole?.isPending === true && after.is_active) return { ...after, pending_email: email }
    return after
  })
}

/**
 * Throws 403 like `refuseConsoleAccount`, and for a new address without a recent confirmation. Throws 409 for the
 * caller's account, for the last active super admin, and for a new role or tenant of an account of the console.
 */
async function refuseChange(
  deps: Deps,
  trx: Transaction<Database>,
  actor: Actor,
  before: User,
  { email, role, tenant_id, is_active }: UpdateUserBody,
): Promise<void> {
  refuseConsoleAccount(deps, actor, before)
  const isNewEmail = email !== undefined && email !== before.email
  if (isNewEmail) refuseUnconfirmed(deps, actor)
  // The link to the new address would end with the account.
  if (isNewEmail && before.tenant_id === null && !(is_active ?? before.is_active)) throw conflict(INACTIVE_ACCOUNT)
  if (before.tenant_id === null && (role !== undefined || tenant_id !== undefined)) throw conflict(CONSOLE_ACCOUNT)
  if (before.is_active && is_active === false) return await refuseLastSuperAdmin(trx, actor, before, 'deactivate')
  if (before.id === actor.admin.id) throw conflict(OWN_ACCOUNT)
  await refuseRemovedActor(trx, actor)
}

/**
 * Activates or deactivates a user. A deactivation ends all access. Throws 404, and 409 for the caller's account and the
 * last active super admin.
 */
export async function toggleUser(
  deps: Deps,
  actor: Actor,
  id: string,
  { is_active }: { is_active: boolean },
): Promise<ToggledUser> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const before = await lockForChange(trx, id)
    refuseConsoleAccount(deps, actor, before)
    await (is_active ? refuseRemovedActor(trx, actor) : refuseLastSuperAdmin(trx, actor, before, 'deactivate'))
    const changes = changedFields(before, { is_active })
    if (Object.keys(changes).length === 0) return { ...before, ended_session_count: 0 }
    const after = await changeUserRow(trx, id, { is_active })
    const ended_session_count = is_active ? 0 : (await liveSessionsOfUser(trx, id, liveLimits(now()))).length
    const ended = await endLostAccess(trx, now(), after)
    const entry = { action: contract.toggleUser.schema.operationId, target: targetOf(before), changes }
    await writeAudits(trx, now(), actor, [...ended, entry])
    if (before.tenant_id === null) await tellAccount(deps, trx, actor, after, standingChanges(before, after))
    return { ...after, ended_session_count }
  })
}

/**
 * Locks in order: super admins, tenants by id, user. Returns the locked user. `newTenantId` is the tenant that the user
 * moves to. Throws 404 for an unknown user or tenant.
 */
export async function lockForChange(trx: Transaction<Database>, id: string, newTenantId?: string): Promise<User> {
  await lockSuperAdmins(trx)
  const unlocked = await userById(trx, id)
  const tenants = new Set([unlocked?.tenant_id, newTenantId].filter((tenant) => typeof tenant === 'string'))
  for (const tenant of [...tenants].toSorted()) {
    const locked = await lockOwningTenant(trx, tenant)
    if (unlocked !== undefined && locked === undefined && tenant === newTenantId) throw notFound('Tenant')
  }
  await lockUser(trx, id)
  return await userOf({ db: trx }, id)
}

export function targetOf({ id, email, tenant_id }: User): AuditTarget {
  return { type: 'user', id, name: email, tenant_id }
}
