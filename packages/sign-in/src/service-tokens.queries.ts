import { TOKEN_REFUSAL_INTERVAL_MS } from '@switchboard/contract/tokens'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type Transaction } from 'kysely'
import { NO_PASSWORD } from './passwords.ts'

/**
 * Whether the maker signs in without a second factor: the account has a password and no second factor. Accounts without
 * a password sign in at an identity provider, which asks for a second factor itself.
 */
export const isMakerWithoutFactor = sql<boolean>`(
  not exists (select from second_factors where second_factors.user_id = users.id)
  and not (password_hash = ${NO_PASSWORD} and exists (select from sso_identities where sso_identities.user_id = users.id))
)`
/** Whether the maker must add the required second factor first. */
export const mustMakerEnroll = sql<boolean>`(
  (select second_factor_required from security_settings) and ${isMakerWithoutFactor}
)`

/** The token with this hash and its maker, while the maker is an active super admin and the token is not revoked. */
export async function unrevokedToken(db: Kysely<Database>, tokenHash: Buffer) {
  return await db
    .selectFrom('service_tokens')
    .innerJoin('users', 'users.id', 'created_by_id')
    .select(['service_tokens.id', 'service_tokens.name', 'scopes', 'tenant_ids', 'networks', 'expires_at'])
    .select('last_used_at')
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
    .updateTable('service_tokens')
    .set({ last_used_at: at, last_used_address: address })
    .where('id', '=', id)
    .execute()
}

/** Marks a refused address. Returns false if another refusal was marked within the interval. */
export async function markRefusal(trx: Transaction<Database>, id: string, at: Date): Promise<boolean> {
  const since = new Date(at.getTime() - TOKEN_REFUSAL_INTERVAL_MS).toISOString()
  const { numUpdatedRows } = await trx
    .updateTable('service_tokens')
    .set({ refused_at: at })
    .where('id', '=', id)
    .where((row) => row.or([row('refused_at', 'is', null), row('refused_at', '<=', since)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
