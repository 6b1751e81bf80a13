import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import { whenSet } from '#src/lists/filters.queries.ts'

const ACCOUNT = [
  'users.id',
  'email',
  'users.name',
  'role',
  'tenant_id',
  'is_active',
  'is_break_glass',
  'users.created_at',
  'password_hash',
] as const

type Subject = { issuer: string; subject: string }

/** The account of an identity, with the id of the identity. */
export async function accountOfIdentity(db: Kysely<Database>, { issuer, subject }: Subject) {
  return await db
    .selectFrom('sso_identities')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['sso_identities.id as identity_id', ...ACCOUNT])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function accountWithEmail(db: Kysely<Database>, email: string) {
  return await db.selectFrom('users').select(ACCOUNT).where('folded_email', '=', foldEmail(email)).executeTakeFirst()
}

/** Serializes sign-ins of an identity until the end of the transaction, also of an identity without a row. */
export async function lockIdentity(trx: Transaction<Database>, { issuer, subject }: Subject): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('identity ' || ${issuer} || ' ' || ${subject}, 0))`.execute(
    trx,
  )
}

/** Locks an account. Changes that end sessions hold the same lock. */
export async function lockAccount(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function insertIdentity(
  trx: Transaction<Database>,
  identity: Insertable<Database['sso_identities']>,
): Promise<string> {
  const { id } = await trx.insertInto('sso_identities').values(identity).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Creates an account without a password. It can have one only if a super admin allows it. */
export async function insertAccount(
  trx: Transaction<Database>,
  account: Pick<Insertable<Database['users']>, 'email' | 'name' | 'role' | 'created_at'>,
) {
  return await trx
    .insertInto('users')
    .values({
      ...account,
      folded_email: foldEmail(account.email),
      tenant_id: null,
      password_hash: NO_PASSWORD,
      may_use_password: false,
    })
    .returning(ACCOUNT)
    .executeTakeFirstOrThrow()
}

/** Changes the role or the name and, like every change that the list of users shows, the version. */
export async function updateAccount(
  trx: Transaction<Database>,
  id: string,
  changes: Pick<Updateable<Database['users']>, 'role' | 'name'>,
): Promise<void> {
  await trx
    .updateTable('users')
    .set((row) => ({ ...changes, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Notes the identity of a session, and the session at the identity provider. */
export async function markSession(
  trx: Transaction<Database>,
  tokenHash: Buffer,
  marks: { sso_identity_id: string; sso_sid: string | null },
): Promise<void> {
  await trx.updateTable('sessions').set(marks).where('token_hash', '=', tokenHash).execute()
}

/** Ends the live sessions of an identity, of one session at the identity provider, or of both. Returns their accounts. */
export async function expireSessionsOf(
  trx: Transaction<Database>,
  { issuer, subject, sid }: { issuer: string; subject: string | undefined; sid: string | undefined },
  now: Date,
) {
  return await trx
    .updateTable('sessions')
    .from('sso_identities')
    .innerJoin('users', 'users.id', 'sso_identities.user_id')
    .set({ expires_at: now })
    .whereRef('sso_identity_id', '=', 'sso_identities.id')
    .where('issuer', '=', issuer)
    .$call(whenSet(subject, (query, value) => query.where('subject', '=', value)))
    .$call(whenSet(sid, (query, value) => query.where('sso_sid', '=', value)))
    .where('expires_at', '>', now.toISOString())
    .returning(['users.id', 'users.email'])
    .execute()
}

/** Deletes the codes of sign-ins without a session yet. */
export async function deleteCodesOf(
  trx: Transaction<Database>,
  { issuer, subject, sid }: { issuer: string; subject: string | undefined; sid: string | undefined },
): Promise<void> {
  await trx
    .deleteFrom('sso_codes')
    .where('issuer', '=', issuer)
    .$call(whenSet(subject, (query, value) => query.where('subject', '=', value)))
    .$call(whenSet(sid, (query, value) => query.where('sid', '=', value)))
    .execute()
}
