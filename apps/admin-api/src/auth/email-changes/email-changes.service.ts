import * as contract from '@switchboard/contract/email-changes'
import { MAIL_IS_OFF } from '@switchboard/contract/mail'
import type { EmailChange } from '@switchboard/contract/email-changes'
import { type AuditActor, type AuditTarget, changedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { AuditChanges } from '@switchboard/database/audit-tables'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound, taken, unauthorized } from '@switchboard/server/http/errors'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Kysely, Transaction } from 'kysely'
import { endOpenAccess } from '#src/auth/access/access.service.ts'
import { type NoticeDeps, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { lockActiveUser, updateEmail } from '#src/auth/sign-in.queries.ts'
import type { Deps } from '#src/deps.ts'
import { issueLink, linkOfToken, linkRefused, takeLink } from '#src/auth/links/links.service.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { lockTeam, refuseConsoleAccount } from '#src/users/super-admins.service.ts'
import { userByEmail } from '#src/users/users.queries.ts'
import { deleteEmailChange, emailChangeOf } from './email-changes.queries.ts'

type ChangeDeps = NoticeDeps & Pick<Deps, 'randomBytes'>
type Account = { id: string; email: string }

/**
 * Changes the address of a locked account of the console. If the server sends mail, the new address is pending until
 * its link is opened, and replaces an earlier pending address. Without mail, or if only the capitals differ, the
 * address changes at once. Notifies the member. Returns the changes for the audit log. Throws 409 for a taken address.
 */
export async function changeEmail(
  deps: ChangeDeps,
  trx: Transaction<Database>,
  actor: AuditActor & { admin: Account },
  account: Account,
  email: string,
): Promise<{ isPending: boolean; changes: AuditChanges }> {
  const isSame = foldEmail(email) === foldEmail(account.email)
  if (deps.mailer === null || isSame) {
    await updateEmail(trx, account.id, email)
    await tellChanged(deps, trx, actor, account, email)
    return { isPending: false, changes: changedFields({ email: account.email }, { email }) }
  }
  if ((await userByEmail(trx, foldEmail(email))) !== undefined) throw taken('users_email_unique')
  const pending_email = await deleteEmailChange(trx, account.id)
  await issue(deps, trx, { account, email, requested_by: actor.admin })
  await tellAccount(deps, trx, actor, account, [
    `A change of the email address to ${email} was requested.`,
    'It takes effect when somebody opens the link that was sent to the new address.',
  ])
  return {
    isPending: true,
    changes: { pending_email: { before: pending_email ?? null, after: email } },
  }
}

export async function ownEmailChange({ db, now }: Pick<Deps, 'db' | 'now'>, actor: SignedInActor) {
  return { email_change: (await emailChangeOf(db, actor.id, now())) ?? null }
}

/**
 * Replaces the link of a pending address with a new one. Throws 409 if the server sends no mail, and 404 and 403 like
 * `lockPending`.
 */
export async function resendEmailChange(deps: Deps, actor: SignedInActor, id: string): Promise<EmailChange> {
  return await inTransaction(deps.db, async (trx) => {
    const { account, pending } = await lockPending(deps, trx, actor, id)
    if (deps.mailer === null) throw conflict(MAIL_IS_OFF)
    await deleteEmailChange(trx, id)
    await issue(deps, trx, { account, email: pending.email, requested_by: actor.admin })
    const action = contract.resendEmailChange.schema.operationId
    await writeAudit(trx, deps.now(), actor, { action, target: targetOf(account) })
    return await pendingOf(trx, deps.now(), id)
  })
}

/** Cancels a pending address. Throws 404 and 403 like `lockPending`. */
export async function cancelEmailChange(deps: Deps, actor: SignedInActor, id: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const { account, pending } = await lockPending(deps, trx, actor, id)
    await deleteEmailChange(trx, id)
    await tellAccount(deps, trx, actor, account, [`The change of the email address to ${pending.email} was canceled.`])
    await writeAudit(trx, deps.now(), actor, {
      action: contract.cancelEmailChange.schema.operationId,
      target: targetOf(account),
      changes: { pending_email: { before: pending.email, after: null } },
    })
  })
}

/** Returns the current and the new address. The link stays valid. Throws 404 with `LINK_REFUSED`. */
export async function readEmailChange(
  deps: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<{ account: string; email: string }> {
  const { email, account } = await linkOfToken(deps, 'email_change', token)
  if (account === null) throw linkRefused()
  return { account, email }
}

/**
 * Gives the account of a link its new address and ends its sessions and links. Throws 404 with `LINK_REFUSED`, also for
 * a deactivated account, and 409 if another user has taken the address in the meantime.
 */
export async function confirmEmailChange(
  deps: Deps,
  caller: { address: string; request_id: string },
  token: string,
): Promise<{ email: string }> {
  const { db, now } = deps
  return await inTransaction(db, async (trx) => {
    const { user_id, email } = await takeLink(deps, trx, 'email_change', token)
    const account = user_id === null ? undefined : await lockActiveUser(trx, user_id)
    if (account === undefined) throw linkRefused()
    const actor = { id: account.id, email: account.email, ...caller }
    await endOpenAccess(trx, account)
    await updateEmail(trx, account.id, email)
    await tellChanged(deps, trx, actor, account, email)
    await writeAudit(trx, now(), actor, {
      action: contract.confirmEmailChange.schema.operationId,
      target: targetOf(account),
      changes: changedFields({ email: account.email }, { email }),
    })
    return { email }
  })
}

async function tellChanged(
  deps: NoticeDeps,
  trx: Transaction<Database>,
  actor: AuditActor,
  { email: before }: Account,
  newEmail: string,
): Promise<void> {
  const sentence = `The email address was changed from ${before} to ${newEmail}.`
  await tellAccount(deps, trx, actor, { email: before, newEmail }, [sentence])
}

async function issue(
  deps: ChangeDeps,
  trx: Transaction<Database>,
  { account, email, requested_by }: { account: Account; email: string; requested_by: Account },
): Promise<void> {
  const recipient = {
    kind: 'email_change' as const,
    email,
    role: null,
    invited_by: requested_by.email,
    invited_by_id: requested_by.id,
    user_id: account.id,
  }
  await issueLink(deps, trx, recipient, deps.mailer?.consoleUrl ?? '')
}

/**
 * Locks an account with a pending address. Throws 404 if it has none. For someone else's account, throws 403 without
 * the capability `team` or without a recent confirmation.
 */
async function lockPending(deps: Deps, trx: Transaction<Database>, actor: SignedInActor, id: string) {
  if (id !== actor.id) refuseConsoleAccount(deps, actor, { tenant_id: null })
  await lockTeam(trx, actor)
  const account = await lockActiveUser(trx, id)
  if (account === undefined && id === actor.id) throw unauthorized('Not authenticated')
  if (account === undefined) throw notFound('Pending email address')
  return { account, pending: await pendingOf(trx, deps.now(), id) }
}

async function pendingOf(db: Kysely<Database>, now: Date, id: string): Promise<EmailChange> {
  const pending = await emailChangeOf(db, id, now)
  if (pending === undefined) throw notFound('Pending email address')
  return pending
}

function targetOf({ id, email }: Account): AuditTarget {
  return { type: 'user', id, name: email, tenant_id: null }
}
