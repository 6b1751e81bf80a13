import type { Database } from '@switchboard/database/tables'
import type { Insertable, Transaction } from 'kysely'

export async function insertNotices(
  trx: Transaction<Database>,
  notices: Insertable<Database['account_notices']>[],
): Promise<{ id: string }[]> {
  return await trx.insertInto('account_notices').values(notices).returning('id').execute()
}
