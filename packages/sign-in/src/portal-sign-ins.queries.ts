import type { Database } from '@switchboard/database/tables'
import type { Insertable, Transaction } from 'kysely'

/** Records a sign-in to the portal of a tenant, in the transaction that verifies or refuses it. */
export async function insertPortalSignIn(
  trx: Transaction<Database>,
  signIn: Insertable<Database['portal_sign_ins']>,
): Promise<void> {
  await trx.insertInto('portal_sign_ins').values(signIn).execute()
}
