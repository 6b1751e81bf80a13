import { TOKENS_LISTED_MAX } from '@switchboard/contract/tokens'
import type { Database } from '@switchboard/database/tables'
import { isMakerWithoutFactor, mustMakerEnroll } from '@switchboard/sign-in/service-tokens.queries'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

/**
 * Columns of a listed token. The maker is missing after a deletion of the account, and may not use the token without
 * the role.
 */
const COLUMNS = [
  'service_tokens.id',
  'service_tokens.name',
  'scopes',
  'token_start',
  'networks',
  'created_by_id',
  'service_tokens.created_at',
  'expires_at',
  'last_used_at',
  'last_used_address',
  'revoked_at',
] as const

/** All tokens with their makers, the newest first and revoked tokens last. */
export async function allTokens(db: Kysely<Database>) {
  return await tokensWithMakers(db)
    .orderBy(sql`revoked_at is not null`)
    .orderBy('service_tokens.created_at', 'desc')
    .orderBy('service_tokens.id')
    .limit(TOKENS_LISTED_MAX)
    .execute()
}

export async function tokenById(db: Kysely<Database>, id: string) {
  return await tokensWithMakers(db).where('service_tokens.id', '=', id).executeTakeFirst()
}

function tokensWithMakers(db: Kysely<Database>) {
  return db
    .selectFrom('service_tokens')
    .leftJoin('users', 'users.id', 'created_by_id')
    .select(COLUMNS)
    .select(({ fn }) => fn.coalesce('users.email', 'created_by_email').as('created_by_email'))
    .select(tenantsOfToken.as('tenants'))
    .select(isMakerAllowed)
}

/** The tenants to which the token is limited, by name; a deleted tenant has none. */
const tenantsOfToken = sql<{ id: string; name: string | null }[]>`(
  select coalesce(json_agg(json_build_object('id', limited.id, 'name', tenants.name) order by tenants.name), '[]')
  from unnest(tenant_ids) as limited (id) left join tenants on tenants.id = limited.id
)`

/** A token acts for its maker, and only active super admins may make tokens. */
const isMakerAllowed = sql<boolean>`
  coalesce(users.role = 'super_admin' and users.is_active and not ${mustMakerEnroll}, false)`.as('is_maker_allowed')

export async function tokensWithoutFactor(db: Kysely<Database>, at: Date) {
  return await db
    .selectFrom('service_tokens')
    .innerJoin('users', 'users.id', 'created_by_id')
    .select(['service_tokens.id', 'service_tokens.name', 'users.email as created_by_email'])
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .where('users.role', '=', 'super_admin')
    .where('users.is_active', '=', true)
    .where(isMakerWithoutFactor)
    .orderBy('service_tokens.name')
    .execute()
}

/** Serializes the creation of tokens until the end of the transaction. */
export async function lockTokens(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('service tokens', 0))`.execute(trx)
}

/** Number of tokens that are neither revoked nor expired. */
export async function countTokens(trx: Transaction<Database>, at: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('service_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at.toISOString())
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the id. */
export async function insertToken(
  trx: Transaction<Database>,
  token: Insertable<Database['service_tokens']>,
): Promise<string> {
  const { id } = await trx.insertInto('service_tokens').values(token).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Number of the tenants that exist among these ids. */
export async function countTenants(trx: Transaction<Database>, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { count } = await trx
    .selectFrom('tenants')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return count
}

export async function lockToken(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('service_tokens')
    .select(['id', 'name', 'revoked_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRevoked(trx: Transaction<Database>, id: string, at: Date): Promise<void> {
  await trx.updateTable('service_tokens').set({ revoked_at: at }).where('id', '=', id).execute()
}
