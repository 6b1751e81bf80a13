import {
  type User,
  type CreateUserBody,
  createUser as creation,
  deleteUser as deletion,
  toggleUser as toggling,
} from '@switchboard/contract/users'
import {
  addedFields,
  type AuditTarget,
  changedFields,
  removedFields,
  writeAudit,
} from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { refuseGuessable } from '#src/passwords/new-password.service.ts'
import { type Actor, endSessionsOfUser } from '#src/sessions/sessions.service.ts'
import { lockSuperAdmins, refuseLastSuperAdmin, refuseRemovedActor } from './super-admins.service.ts'
import type { Deps } from '#src/deps.ts'
import {
  userById,
  deleteUserRow,
  insertUser,
  lockUser,
  lockTenantOfUser,
  setActive,
  tenantWords,
} from './users.queries.ts'

/**
 * Creates a user of a tenant. Throws 404 for an unknown tenant, 409 for a taken address, 422 for a guessable
 * password.
 */
export async function createUser(deps: Deps, actor: Actor, { password, ...body }: CreateUserBody): Promise<User> {
  const { db, now, passwords } = deps
  const tenant = await tenantWords(db, body.tenant_id)
  if (tenant === undefined) throw notFound('Tenant')
  const names = [body.email, tenant.name, tenant.subdomain]
  await refuseGuessable(deps, 'password', password, { owner: 'tenant', names })
  const passwordHash = await passwords.hash(password)
  return await inTransaction(db, async (trx) => {
    // The tenant may have been deleted during the hashing.
    if ((await lockTenantOfUser(trx, body.tenant_id)) === undefined) throw notFound('Tenant')
    const admin = await insertUser(trx, { ...body, password_hash: passwordHash, created_at: now() })
    const { email, role, tenant_id } = admin
    await writeAudit(trx, now(), actor, {
      action: creation.schema.operationId,
      outcome: 'done',
      target: targetOf(admin),
      changes: addedFields({ email, role, tenant_id }),
    })
    return admin
  })
}

/**
 * Activates or deactivates a user. Deactivation ends the sessions. Throws 404, and 409 for the own account and the
 * last active super admin.
 */
export async function toggleUser(
  { db, now }: Deps,
  actor: Actor,
  id: string,
  { is_active }: { is_active: boolean },
): Promise<User> {
  return await inTransaction(db, async (trx) => {
    const before = await lockForChange(trx, id)
    await (is_active ? refuseRemovedActor(trx, actor) : refuseLastSuperAdmin(trx, actor, before, 'deactivate'))
    const changes = changedFields(before, { is_active })
    if (Object.keys(changes).length === 0) return before
    await setActive(trx, id, is_active)
    if (!is_active) await endSessionsOfUser(trx, id)
    await writeAudit(trx, now(), actor, {
      action: toggling.schema.operationId,
      outcome: 'done',
      target: targetOf(before),
      changes,
    })
    return { ...before, is_active }
  })
}

/** Removes an admin and their sessions. Throws 404, and 409 for oneself and the last active super admin. */
export async function deleteUser({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const admin = await lockForChange(trx, id)
    await refuseLastSuperAdmin(trx, actor, admin, 'delete')
    await deleteUserRow(trx, id)
    const { email, role, tenant_id } = admin
    await writeAudit(trx, now(), actor, {
      action: deletion.schema.operationId,
      outcome: 'done',
      target: targetOf(admin),
      changes: removedFields({ email, role, tenant_id }),
    })
  })
}

/** Locks in order: super admins, tenant, user. Returns the locked user. */
export async function lockForChange(trx: Transaction<Database>, id: string): Promise<User> {
  await lockSuperAdmins(trx)
  const seen = await userById(trx, id)
  if (seen?.tenant_id) await lockTenantOfUser(trx, seen.tenant_id)
  await lockUser(trx, id)
  const admin = await userById(trx, id)
  if (admin === undefined) throw notFound('User')
  return admin
}

function targetOf({ id, email, tenant_id }: User): AuditTarget {
  return { type: 'user', id, name: email, tenant_id }
}
