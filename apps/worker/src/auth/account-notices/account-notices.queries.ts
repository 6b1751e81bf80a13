import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** Notices are kept this long to answer questions about their delivery. */
const NOTICE_DAYS = 30
const BATCH = 1_000

export async function lockQueuedNotice(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('account_notices')
    .select(['mail_to', 'account', 'changes', 'changed_by', 'address', 'changed_at', 'mail_attempts'])
    .where('id', '=', id)
    .where('mail_state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
}

export async function updateNotice(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['account_notices']>,
): Promise<void> {
  await trx.updateTable('account_notices').set(changes).where('id', '=', id).execute()
}

/** Records the result of an attempt. Returns false if the notice has a newer attempt or no longer exists. */
export async function recordAttempt(
  db: Kysely<Database>,
  { id, attempt }: { id: string; attempt: number },
  result: Pick<Updateable<Database['account_notices']>, 'mail_state' | 'mail_problem'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('account_notices')
    .set(result)
    .where('id', '=', id)
    .where('mail_attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteOldNotices(db: Kysely<Database>): Promise<void> {
  const old = db
    .selectFrom('account_notices')
    .select('id')
    .where('changed_at', '<', sql<string>`now() - ${NOTICE_DAYS} * interval '1 day'`)
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('account_notices').where('id', 'in', old).execute()
}
