import type { SecondFactor } from '@switchboard/contract/second-factors'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'

const COLUMNS = ['id', 'kind', 'name', 'is_user_verifying', 'created_at', 'last_used_at'] as const

export type SecondFactorRow = Selectable<Database['second_factors']>

/** The second factors of an account, oldest first, without secrets. */
export async function secondFactorsOfUser(db: Kysely<Database>, userId: string): Promise<SecondFactor[]> {
  return await db
    .selectFrom('second_factors')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Kinds of the second factors of an account. */
export async function kindsOfUser(db: Kysely<Database>, userId: string): Promise<SecondFactor['kind'][]> {
  const rows = await db.selectFrom('second_factors').select('kind').distinct().where('user_id', '=', userId).execute()
  return rows.map(({ kind }) => kind)
}

/** Passkeys of an account, as a browser needs them. */
export async function credentialsOfUser(
  db: Kysely<Database>,
  userId: string,
): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db
    .selectFrom('second_factors')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('kind', '=', 'passkey')
    .orderBy('created_at')
    .execute()
  return rows.map(({ credential_id, transports }) => ({ id: credential_id ?? '', transports: transports ?? [] }))
}

/** Whether an account has a passkey that asks for a PIN or a fingerprint. */
export async function hasVerifyingPasskey(db: Kysely<Database>, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('is_user_verifying', '=', true)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function lockTotpFactors(trx: Transaction<Database>, userId: string): Promise<SecondFactorRow[]> {
  return await trx
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'totp')
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function lockPasskey(
  trx: Transaction<Database>,
  userId: string,
  credentialId: string,
): Promise<SecondFactorRow | undefined> {
  return await trx
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()
}

/** The account with a passkey. */
export async function userOfPasskey(db: Kysely<Database>, credentialId: string) {
  return await db
    .selectFrom('second_factors')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'email'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

export async function emailOfUser(db: Kysely<Database>, id: string) {
  return await db.selectFrom('users').select(['id', 'email']).where('id', '=', id).executeTakeFirst()
}

/** Locks an account of the console, active or not. */
export async function lockAnyConsoleUser(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('tenant_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertSecondFactor(
  trx: Transaction<Database>,
  factor: Insertable<Database['second_factors']>,
): Promise<SecondFactor> {
  return await trx.insertInto('second_factors').values(factor).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function updateSecondFactor(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['second_factors']>,
): Promise<void> {
  await trx.updateTable('second_factors').set(changes).where('id', '=', id).execute()
}

export async function deleteSecondFactorRow(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('second_factors').where('id', '=', id).execute()
}

/** Deletes the second factors, recovery codes and challenges of an account. Returns the number of second factors. */
export async function deleteSecondFactorsOfUser(trx: Transaction<Database>, userId: string): Promise<number> {
  await replaceRecoveryCodes(trx, userId, [])
  await trx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute()
  const { numDeletedRows } = await trx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return Number(numDeletedRows)
}

export async function countUnusedCodes(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Marks an unused recovery code as used. Returns false for another code. */
export async function takeRecoveryCode(
  trx: Transaction<Database>,
  userId: string,
  { code_hash, at }: { code_hash: Buffer; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('user_id', '=', userId)
    .where('code_hash', '=', code_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function replaceRecoveryCodes(
  trx: Transaction<Database>,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  if (hashes.length === 0) return
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

/** Whether every account of the console needs a second factor. */
export async function isSecondFactorRequired(db: Kysely<Database>): Promise<boolean> {
  const { second_factor_required } = await db
    .selectFrom('security_settings')
    .select('second_factor_required')
    .executeTakeFirstOrThrow()
  return second_factor_required
}

/** Like `isSecondFactorRequired`, but also serializes changes of the setting and removals of second factors. */
export async function lockSecuritySettings(trx: Transaction<Database>): Promise<{ second_factor_required: boolean }> {
  return await trx
    .selectFrom('security_settings')
    .select('second_factor_required')
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function updateSecuritySettingsRow(
  trx: Transaction<Database>,
  settings: { second_factor_required: boolean },
): Promise<void> {
  await trx.updateTable('security_settings').set(settings).execute()
}
