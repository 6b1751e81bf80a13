import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** Expired invitations stay in the list of pending invitations, and beside their users, for this time. */
const EXPIRED_INVITATION_DAYS = 30
const BATCH = 1_000

/** Locks a link whose mail is waiting to be sent. */
export async function lockQueuedLink(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('links')
    .select((row) => [
      'id',
      'kind',
      'email',
      'role',
      'invited_by',
      'user_id',
      'portal_url',
      'mail_attempts',
      row.selectFrom('users').select('users.email').whereRef('users.id', '=', 'links.user_id').as('account'),
      row
        .selectFrom('users')
        .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
        .select('tenants.name')
        .whereRef('users.id', '=', 'links.user_id')
        .as('tenant'),
    ])
    .where('id', '=', id)
    .where('mail_state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
}

export async function accountForReset(trx: Transaction<Database>, email: string) {
  return await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('folded_email', '=', foldEmail(email))
    .where('is_active', '=', true)
    .where('may_use_password', '=', true)
    .where('tenant_id', 'is', null)
    .executeTakeFirst()
}

export async function updateLink(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['links']>,
): Promise<void> {
  await trx.updateTable('links').set(changes).where('id', '=', id).execute()
}

/** Records the result of an attempt. Returns false for a link that has a newer attempt, or is gone. */
export async function recordAttempt(
  db: Kysely<Database>,
  { id, attempt }: { id: string; attempt: number },
  result: Pick<Updateable<Database['links']>, 'mail_state' | 'mail_problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('links')
    .set(result)
    .where('id', '=', id)
    .where('mail_attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes expired links, by the database's clock. */
export async function deleteExpiredLinks(db: Kysely<Database>): Promise<void> {
  const expired = db
    .selectFrom('links')
    .select('id')
    .where(
      'expires_at',
      '<',
      sql<string>`now() - case when kind in ('invitation', 'user_invitation') then ${EXPIRED_INVITATION_DAYS} else 0 end * interval '1 day'`,
    )
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('links').where('id', 'in', expired).execute()
}
