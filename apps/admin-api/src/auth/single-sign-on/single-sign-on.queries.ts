import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Transaction } from 'kysely'

export async function insertFlow(db: Kysely<Database>, flow: Insertable<Database['sso_flows']>): Promise<void> {
  await db.insertInto('sso_flows').values(flow).execute()
}

/** Number of sign-ins of a network that are at the identity provider. */
export async function flowsOfAddress(db: Kysely<Database>, address: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('sso_flows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('address', '=', address)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirstOrThrow()
  return count
}

type FlowKey = { state_hash: Buffer; browser_hash: Buffer }

/** Removes and returns a sign-in of this browser, if it has not expired. */
export async function takeFlow(db: Kysely<Database>, { state_hash, browser_hash }: FlowKey, now: Date) {
  return await db
    .deleteFrom('sso_flows')
    .where('state_hash', '=', state_hash)
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now.toISOString())
    .returning(['nonce', 'code_verifier', 'redirect'])
    .executeTakeFirst()
}

export async function insertCode(db: Kysely<Database>, code: Insertable<Database['sso_codes']>): Promise<void> {
  await db.insertInto('sso_codes').values(code).execute()
}

/** Removes and returns a verified sign-in of this browser, if its code has not expired. */
export async function takeCode(
  trx: Transaction<Database>,
  { code_hash, browser_hash }: { code_hash: Buffer; browser_hash: Buffer },
  now: Date,
) {
  return await trx
    .deleteFrom('sso_codes')
    .where('code_hash', '=', code_hash)
    .where('browser_hash', '=', browser_hash)
    .where('expires_at', '>', now.toISOString())
    .returning(['issuer', 'subject', 'email', 'is_email_verified', 'name', 'role', 'sid'])
    .executeTakeFirst()
}

/** Records a logout token. Returns false if the token was received before. */
export async function insertLogoutToken(
  trx: Transaction<Database>,
  token: Insertable<Database['sso_logout_tokens']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sso_logout_tokens')
    .values(token)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes sign-ins, codes and logout tokens whose time has passed. */
export async function deleteExpired(db: Kysely<Database>, now: Date): Promise<void> {
  for (const table of ['sso_flows', 'sso_codes', 'sso_logout_tokens'] as const)
    await db.deleteFrom(table).where('expires_at', '<=', now.toISOString()).execute()
}
