import type { Database } from '@switchboard/database/tables'
import type { Kysely, Transaction, Updateable } from 'kysely'

/** Locks a new sign-in whose mail is waiting to be sent. */
export async function lockQueuedSignIn(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('known_devices')
    .select(['id', 'first_at as at', 'address', 'device', 'mail_to', 'mail_attempts'])
    .where('id', '=', id)
    .where('mail_state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
}

export async function updateSignIn(
  trx: Transaction<Database>,
  id: string,
  changes: Pick<Updateable<Database['known_devices']>, 'mail_state' | 'mail_problem' | 'mail_attempts'>,
): Promise<void> {
  await trx.updateTable('known_devices').set(changes).where('id', '=', id).execute()
}

/** Records the result of an attempt. Returns false for a sign-in that has a newer attempt, or is forgotten. */
export async function recordAttempt(
  db: Kysely<Database>,
  { id, attempt }: { id: string; attempt: number },
  result: Pick<Updateable<Database['known_devices']>, 'mail_state' | 'mail_problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('known_devices')
    .set(result)
    .where('id', '=', id)
    .where('mail_attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
