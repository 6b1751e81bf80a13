import { type CreatedUser, createUser as endpoint, type CreateUserBody } from '@switchboard/contract/users'
import { addedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { lockOwningTenant } from '@switchboard/database/lock-tenant'
import { notFound } from '@switchboard/server/http/errors'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { issueInvitation } from './user-invitation.service.ts'
import { insertUser, tenantNames } from './users.queries.ts'
import { targetOf } from './users.service.ts'

/**
 * Creates a user of a tenant with a first password or an invitation. Throws 404 for an unknown tenant, 409 for a taken address
 * or external id, 422 for a guessable password.
 */
export async function createUser(
  deps: Deps,
  actor: Actor,
  { password, send_invitation, name = null, external_id = null, ...body }: CreateUserBody,
): Promise<CreatedUser> {
  const { db, now } = deps
  const tenant = await tenantNames(db, body.tenant_id)
  if (tenant === undefined) throw notFound('Tenant')
  const password_hash = await firstHash(deps, password, [body.email, tenant.name, tenant.subdomain])
  return await inTransaction(db, async (trx) => {
    // The tenant may have been deleted during the hashing.
    if ((await lockOwningTenant(trx, body.tenant_id)) === undefined) throw notFound('Tenant')
    const made = { ...body, name, external_id, password_hash, must_change_password: true, created_at: now() }
    const user = await insertUser(trx, made)
    const { email, role, tenant_id } = user
    await writeAudit(trx, now(), actor, {
      action: endpoint.schema.operationId,
      target: targetOf(user),
      changes: addedFields({
        email,
        ...(name !== null && { name }),
        ...(external_id !== null && { external_id }),
        role,
        tenant_id,
        ...(send_invitation === true && { send_invitation }),
      }),
    })
    return send_invitation === true ? await issueInvitation(deps, trx, user, tenant.subdomain) : user
  })
}

/** The hash of the first password. Without one, an invited user chooses it. */
async function firstHash(deps: Deps, password: string | undefined, names: string[]): Promise<string> {
  if (password === undefined) return NO_PASSWORD
  await refuseGuessable(deps, 'password', password, { owner: 'tenant', names })
  return await deps.passwords.hash(password)
}
