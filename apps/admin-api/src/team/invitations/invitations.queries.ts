import type { ConsoleRole } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Invitation } from '@switchboard/contract/invitations'
import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction } from 'kysely'

const COLUMNS = ['id', 'email', 'created_at', 'expires_at', 'mail_state', 'mail_problem'] as const

/** Pending invitations, newest first. */
export async function invitations(db: Kysely<Database>): Promise<Invitation[]> {
  return await selected(db).orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function invitationById(db: Kysely<Database>, id: string): Promise<Invitation | undefined> {
  return await selected(db).where('id', '=', id).executeTakeFirst()
}

/** A check constraint of the table keeps the role and the inviting admin from being null. */
function selected(db: Kysely<Database>) {
  return db
    .selectFrom('links')
    .select(COLUMNS)
    .select(['role', 'invited_by'])
    .$narrowType<{ role: ConsoleRole; invited_by: string }>()
    .where('kind', '=', 'invitation')
}

export async function countInvitations(trx: Transaction<Database>): Promise<number> {
  const { count } = await trx
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('kind', '=', 'invitation')
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes an invitation and returns its fields. */
export async function deleteInvitation(trx: Transaction<Database>, id: string) {
  return await trx
    .deleteFrom('links')
    .where('kind', '=', 'invitation')
    .where('id', '=', id)
    .returning(['email', 'role'])
    .$narrowType<{ role: ConsoleRole }>()
    .executeTakeFirst()
}

export async function insertAccount(
  trx: Transaction<Database>,
  account: { email: string; name: string | null; role: ConsoleRole; password_hash: string; created_at: Date },
): Promise<{ id: string }> {
  return await trx
    .insertInto('users')
    .values({ ...account, folded_email: foldEmail(account.email), tenant_id: null })
    .returning('id')
    .executeTakeFirstOrThrow()
}
