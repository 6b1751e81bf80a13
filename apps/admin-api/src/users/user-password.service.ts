import { setUserPassword as endpoint, type User } from '@switchboard/contract/users'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import { conflict, notFound } from '@switchboard/server/http/errors'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import { attemptAt } from '@switchboard/sign-in/throttle'
import { deleteAttemptsOfAccount } from '@switchboard/sign-in/throttle.queries'
import { endLinks } from '#src/auth/access/access.service.ts'
import type { Deps } from '#src/deps.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { refuseRemovedActor } from './super-admins.service.ts'
import { tenantNames, updateUserRow } from './users.queries.ts'
import { lockForChange, targetOf, userOf } from './users.service.ts'

const CONSOLE_ACCOUNT = 'People who run the console choose their own passwords.'

/**
 * Replaces the password of a user of a tenant, who has to choose another one at the next sign-in, ends an invitation, and
 * forgets failed sign-ins. Throws 404, 409 for an account of the console, 422 for a guessable password.
 */
export async function setUserPassword(deps: Deps, actor: Actor, id: string, password: string): Promise<User> {
  const { db, now, passwords } = deps
  const user = await userOf(deps, id)
  if (user.tenant_id === null) throw conflict(CONSOLE_ACCOUNT)
  const tenant = await tenantNames(db, user.tenant_id)
  if (tenant === undefined) throw notFound('User')
  const names = [user.email, tenant.name, tenant.subdomain]
  await refuseGuessable(deps, 'password', password, { owner: 'tenant', names })
  const password_hash = await passwords.hash(password)
  return await inTransaction(db, async (trx) => {
    const before = await lockForChange(trx, id)
    await refuseRemovedActor(trx, actor)
    await updateUserRow(trx, id, { password_hash, must_change_password: true })
    await endLinks(trx, before)
    await deleteAttemptsOfAccount(trx, attemptAt(foldEmail(before.email), '', before.tenant_id).account)
    await writeAudit(trx, now(), actor, {
      action: endpoint.schema.operationId,
      target: targetOf(before),
      changes: {
        password: SECRET_CHANGE,
        ...changedFields({ must_change_password: before.must_change_password }, { must_change_password: true }),
      },
    })
    return { ...before, must_change_password: true, has_password: true, invitation: null }
  })
}
