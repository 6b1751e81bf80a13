import type { Role } from '@switchboard/contract/auth/current-admin'
import type { AuditActor } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { insertNotices } from './account-notices.queries.ts'

export type NoticeDeps = Pick<Deps, 'now' | 'mailer' | 'mails'>

/**
 * Queues the mails that tell a member about changes to their account, in the transaction of the changes. `email` is the
 * address of the account. `newEmail` is a second address that also gets the mail. Does nothing if the server sends no
 * mail.
 */
export async function tellAccount(
  { now, mailer, mails }: NoticeDeps,
  trx: Transaction<Database>,
  actor: AuditActor,
  { email, newEmail = email }: { email: string; newEmail?: string },
  changes: string[],
): Promise<void> {
  if (mailer === null || changes.length === 0) return
  const recipients = foldEmail(newEmail) === foldEmail(email) ? [newEmail] : [email, newEmail]
  const notice = {
    account: email,
    changes,
    changed_by: actor.email ?? 'the system',
    address: actor.address,
    changed_at: now(),
  }
  const notices = await insertNotices(
    trx,
    recipients.map((mail_to) => ({ ...notice, mail_to })),
  )
  for (const { id } of notices) await mails.enqueue(trx, { account_notice_id: id })
}

type Standing = { role: Role; is_active: boolean; may_use_password?: boolean }

export function standingChanges(before: Standing, after: Standing): string[] {
  return [
    ...(before.role === after.role
      ? []
      : [`The role was changed from ${spoken(before.role)} to ${spoken(after.role)}.`]),
    ...(before.is_active === after.is_active
      ? []
      : [after.is_active ? 'The account was activated.' : 'The account was deactivated.']),
    ...(before.may_use_password === after.may_use_password
      ? []
      : [after.may_use_password ? 'The account may use a password.' : 'The password was taken away.']),
  ]
}

function spoken(role: Role): string {
  return role.replaceAll('_', ' ')
}
