import type { EmailChange } from '@switchboard/contract/email-changes'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'

const COLUMNS = ['email', 'created_at', 'expires_at', 'mail_state', 'mail_problem'] as const

export async function emailChangeOf(db: Kysely<Database>, userId: string, now: Date): Promise<EmailChange | undefined> {
  return await db
    .selectFrom('links')
    .select(COLUMNS)
    .select('invited_by as requested_by')
    // A constraint of the table.
    .$narrowType<{ requested_by: string }>()
    .where('kind', '=', 'email_change')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

export async function deleteEmailChange(trx: Transaction<Database>, userId: string): Promise<string | undefined> {
  const deleted = await trx
    .deleteFrom('links')
    .where('kind', '=', 'email_change')
    .where('user_id', '=', userId)
    .returning('email')
    .executeTakeFirst()
  return deleted?.email
}
