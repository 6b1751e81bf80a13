import { RESULTS_PER_KIND_MAX } from '@switchboard/contract/palette'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import { beginsWord, holds } from '#src/lists/search.queries.ts'

/** Parts of a key's mask: both ends of the secret, or the end of the id. */
export type Mask = { start: string | null; end: string }

/** Fewer are put in order here. */
const FEW = 20

// Tenant names are looked up for the returned rows only; a join would cover all matches.

export function tenantsToFind(db: Kysely<Database>) {
  return db.selectFrom('tenants').select(['id', 'name', 'subdomain', 'status'])
}

export function isTenantCalled(term: string) {
  return sql<SqlBool>`(subdomain = ${term.toLowerCase()} or name = ${term})`
}

export function usersToFind(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'is_active'])
    .select(sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'))
}

export function isUserCalled(term: string) {
  return sql<SqlBool>`lower(email) = lower(${term})`
}

export function apiKeysToFind(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'tenant_id',
      'name',
      'key_prefix',
      'key_start',
      'key_last4',
      'is_active',
      'expires_at',
      'revoked_at',
    ])
    .select([
      sql<string>`(select name from tenants where tenants.id = api_keys.tenant_id)`.as('tenant_name'),
      sql<string>`(select subdomain from tenants where tenants.id = api_keys.tenant_id)`.as('subdomain'),
    ])
    .where('deleted_at', 'is', null)
}

export function isApiKeyCalled(term: string) {
  return sql<SqlBool>`name = ${term}`
}

export async function apiKeysByMask(db: Kysely<Database>, { start, end }: Mask) {
  return await apiKeysToFind(db)
    .where((key) =>
      start === null
        ? key.or([key('key_last4', '=', end), sql<SqlBool>`right(id::text, 4) = ${end.toLowerCase()}`])
        : key.and([key('key_last4', '=', end), key('key_start', '=', start)]),
    )
    .limit(RESULTS_PER_KIND_MAX)
    .execute()
}

/**
 * The best matches of a term: exact names first, then words that begin with the term, then any other match. Few matches
 * are looked up once; with many, the better matches have their own statements. Addresses have no words: the trigrams of
 * ".example" are those of a word, so every row would match. Statements are unnamed, for the reason given at `readPage`.
 */
export async function bestMatches<Table extends keyof Database, Row extends { id: string }>(
  query: SelectQueryBuilder<Database, Table, Row>,
  term: string,
  { isCalled, hasWords }: { isCalled: RawBuilder<SqlBool>; hasWords: boolean },
): Promise<Row[]> {
  const called = query.where(isCalled).limit(RESULTS_PER_KIND_MAX)
  // Signs alone are in no index.
  if (!/[\p{L}\p{N}]/u.test(term)) return await called.execute()

  const isBegun = hasWords ? beginsWord(term) : sql<SqlBool>`false`
  const any = await query
    .select(sql<number>`case when ${isCalled} then 0 when ${isBegun} then 1 else 2 end`.as('rank'))
    .where(holds(term))
    .limit(FEW)
    .execute()
  if (any.length < FEW) return any.toSorted((one, other) => one.rank - other.rank).slice(0, RESULTS_PER_KIND_MAX)

  const begun = hasWords ? await query.where(isBegun).limit(RESULTS_PER_KIND_MAX).execute() : []
  const best = [...(await called.execute()), ...begun, ...any]
  return [...new Map(best.map((row) => [row.id, row])).values()].slice(0, RESULTS_PER_KIND_MAX)
}
