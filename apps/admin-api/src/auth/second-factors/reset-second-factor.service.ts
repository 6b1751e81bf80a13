import { inTransaction } from '@switchboard/database/in-transaction'
import { COMMAND_LINE_ACTOR } from '@switchboard/contract/activity'
import { resetSecondFactor as endpoint } from '@switchboard/contract/second-factors'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { type AuditActor, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound } from '@switchboard/server/http/errors'
import { accountHash } from '@switchboard/sign-in/throttle'
import { deleteAttemptsOfAccount } from '@switchboard/sign-in/throttle.queries'
import type { Transaction } from 'kysely'
import { type NoticeDeps, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { userByEmail } from '#src/users/users.queries.ts'
import type { Deps } from '#src/deps.ts'
import { deleteSessionsOfUser } from '#src/auth/sessions/sessions.queries.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { deleteSecondFactorsOfUser, lockAnyConsoleUser } from './second-factors.queries.ts'

type ResetDeps = Pick<Deps, 'db' | 'now'> & NoticeDeps

const commandLine: AuditActor = { id: null, email: COMMAND_LINE_ACTOR, address: null, request_id: null }

/**
 * Removes the second factors and recovery codes of another account, and ends its sessions and failed sign-ins. Throws
 * 404, and 409 for the caller's account.
 */
export async function resetSecondFactor(deps: ResetDeps, actor: Actor, id: string): Promise<void> {
  if (id === actor.id) throw conflict('Remove your own second factors in your settings.')
  await inTransaction(deps.db, (trx) => reset(deps, trx, actor, id))
}

/** Like `resetSecondFactor`, but for the command line. Returns the email address. */
export async function resetSecondFactorOf(deps: ResetDeps, email: string): Promise<string> {
  return await inTransaction(deps.db, async (trx) => {
    const user = await userByEmail(trx, foldEmail(email))
    if (user === undefined) throw notFound('Account')
    return await reset(deps, trx, commandLine, user.id)
  })
}

async function reset(deps: ResetDeps, trx: Transaction<Database>, actor: AuditActor, id: string): Promise<string> {
  const user = await lockAnyConsoleUser(trx, id)
  if (user === undefined) throw notFound('Account')
  const removed = await deleteSecondFactorsOfUser(trx, id)
  await deleteSessionsOfUser(trx, id)
  await deleteAttemptsOfAccount(trx, accountHash(foldEmail(user.email)))
  await tellAccount(deps, trx, actor, user, ['All second factors and recovery codes were removed.'])
  await writeAudit(trx, deps.now(), actor, {
    action: endpoint.schema.operationId,
    target: { type: 'user', id, name: user.email, tenant_id: null },
    changes: { second_factors: { before: removed, after: 0 } },
  })
  return user.email
}
