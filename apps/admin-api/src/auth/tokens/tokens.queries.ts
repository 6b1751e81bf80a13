import { TOKEN_REFUSAL_INTERVAL_MS, TOKENS_LISTED_MAX } from '@switchboard/contract/tokens'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

/**
 * Columns of a listed token. The maker is missing after a deletion of the account, and may not use the token without
 * the role.
 */
const COLUMNS = [
  'machine_tokens.id',
  'machine_tokens.name',
  'machine_tokens.role',
  'token_start',
  'networks',
  'created_by_id',
  'machine_tokens.created_at',
  'expires_at',
  'last_used_at',
  'last_used_address',
  'revoked_at',
] as const

/** All tokens with their makers, the newest first and revoked tokens last. */
export async function allTokens(db: Kysely<Database>) {
  return await tokensWithMakers(db)
    .orderBy(sql`revoked_at is not null`)
    .orderBy('machine_tokens.created_at', 'desc')
    .orderBy('machine_tokens.id')
    .limit(TOKENS_LISTED_MAX)
    .execute()
}

export async function tokenById(db: Kysely<Database>, id: string) {
  return await tokensWithMakers(db).where('machine_tokens.id', '=', id).executeTakeFirst()
}

function tokensWithMakers(db: Kysely<Database>) {
  return db
    .selectFrom('machine_tokens')
    .leftJoin('users', 'users.id', 'created_by_id')
    .select(COLUMNS)
    .select(({ fn }) => fn.coalesce('users.email', 'created_by_email').as('created_by_email'))
    .select(isMakerAllowed)
}

/**
 * Whether the maker signs in without a second factor: the account has a password and no second factor. Accounts without
 * a password sign in at an identity provider, which asks for a second factor itself.
 */
const isMakerWithoutFactor = sql<boolean>`(
  not exists (select from second_factors where second_factors.user_id = users.id)
  and not (password_hash = ${NO_PASSWORD} and exists (select from sso_identities where sso_identities.user_id = users.id))
)`
const mustMakerEnroll = sql<boolean>`(
  (select second_factor_required from security_settings) and ${isMakerWithoutFactor}
)`

/** A token acts for its maker, and only active super admins may make tokens. */
const isMakerAllowed = sql<boolean>`
  coalesce(users.role = 'super_admin' and users.is_active and not ${mustMakerEnroll}, false)`.as('is_maker_allowed')

export async function tokensWithoutFactor(db: Kysely<Database>, at: Date) {
  return await db
    .selectFrom('machine_tokens')
    .innerJoin('users', 'users.id', 'created_by_id')
    .select(['machine_tokens.id', 'machine_tokens.name', 'users.email as created_by_email'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .where('users.role', '=', 'super_admin')
    .where('users.is_active', '=', true)
    .where(isMakerWithoutFactor)
    .orderBy('machine_tokens.name')
    .execute()
}

/** The token with this hash and its maker, while the maker is an active super admin and the token is not revoked. */
export async function unrevokedToken(db: Kysely<Database>, tokenHash: Buffer) {
  return await db
    .selectFrom('machine_tokens')
    .innerJoin('users', 'users.id', 'created_by_id')
    .select([
      'machine_tokens.id',
      'machine_tokens.name',
      'machine_tokens.role',
      'networks',
      'expires_at',
      'last_used_at',
    ])
    .select([
      'users.id as maker_id',
      'users.email as created_by_email',
      'users.name as maker_name',
      'users.created_at as maker_created_at',
    ])
    .select(mustMakerEnroll.as('must_enroll'))
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('users.role', '=', 'super_admin')
    .where('users.is_active', '=', true)
    .executeTakeFirst()
}

export async function touchToken(db: Kysely<Database>, id: string, at: Date, address: string): Promise<void> {
  await db
    .updateTable('machine_tokens')
    .set({ last_used_at: at, last_used_address: address })
    .where('id', '=', id)
    .execute()
}

/** Marks a refused address. Returns false if another refusal was marked within the interval. */
export async function markRefusal(trx: Transaction<Database>, id: string, at: Date): Promise<boolean> {
  const since = new Date(at.getTime() - TOKEN_REFUSAL_INTERVAL_MS).toISOString()
  const { numUpdatedRows } = await trx
    .updateTable('machine_tokens')
    .set({ refused_at: at })
    .where('id', '=', id)
    .where((row) => row.or([row('refused_at', 'is', null), row('refused_at', '<=', since)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Serializes the creation of tokens until the end of the transaction. */
export async function lockTokens(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('machine tokens', 0))`.execute(trx)
}

/** Number of tokens that are neither revoked nor expired. */
export async function countTokens(trx: Transaction<Database>, at: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('machine_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the id. */
export async function insertToken(
  trx: Transaction<Database>,
  token: Insertable<Database['machine_tokens']>,
): Promise<string> {
  const { id } = await trx.insertInto('machine_tokens').values(token).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function lockToken(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('machine_tokens')
    .select(['id', 'name', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRevoked(trx: Transaction<Database>, id: string, at: Date): Promise<void> {
  await trx.updateTable('machine_tokens').set({ revoked_at: at }).where('id', '=', id).execute()
}
