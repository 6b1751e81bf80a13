import { apiKeyResult, RESULTS_PER_KIND_MAX } from '@switchboard/contract/palette'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { beginsWord, contains } from '#src/lists/search.queries.ts'

/** Parts of a key's mask: both ends of the secret, or the end of the id. */
export type Mask = { start: string | null; end: string }

/** Fewer matches than this are sorted here, after a single statement. */
const SORTED_HERE_MAX = 20

// Tenant names are looked up for the returned rows only; a join would cover all matches.

export function searchedTenants(db: Kysely<Database>) {
  return db.selectFrom('tenants').select(['id', 'name', 'subdomain', 'status'])
}

export function isExactTenant(term: string) {
  return sql<SqlBool>`(subdomain = ${term.toLowerCase()} or name = ${term})`
}

export function searchedUsers(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'is_active'])
    .select(sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'))
}

export function isExactUser(term: string) {
  return sql<SqlBool>`lower(email) = lower(${term})`
}

export function searchedApiKeys(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .select(z.keyof(z.omit(apiKeyResult, { tenant_name: true, subdomain: true })).options)
    .select([
      sql<string>`(select name from tenants where tenants.id = api_keys.tenant_id)`.as('tenant_name'),
      sql<string>`(select subdomain from tenants where tenants.id = api_keys.tenant_id)`.as('subdomain'),
    ])
    .where('deleted_at', 'is', null)
}

export function isExactApiKey(term: string) {
  return sql<SqlBool>`name = ${term}`
}

export async function apiKeysByMask(db: Kysely<Database>, { start, end }: Mask) {
  return await searchedApiKeys(db)
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
  { isExact, hasWords }: { isExact: RawBuilder<SqlBool>; hasWords: boolean },
): Promise<Row[]> {
  const exact = query.where(isExact).limit(RESULTS_PER_KIND_MAX)
  // Signs alone are in no index.
  if (!/[\p{L}\p{N}]/u.test(term)) return await exact.execute()

  const hasWordPrefix = hasWords ? beginsWord(term) : sql<SqlBool>`false`
  const matches = await query
    .select(sql<number>`case when ${isExact} then 0 when ${hasWordPrefix} then 1 else 2 end`.as('rank'))
    .where(contains(term))
    .limit(SORTED_HERE_MAX)
    .execute()
  if (matches.length < SORTED_HERE_MAX)
    return matches.toSorted((one, other) => one.rank - other.rank).slice(0, RESULTS_PER_KIND_MAX)

  const prefixed = hasWords ? await query.where(hasWordPrefix).limit(RESULTS_PER_KIND_MAX).execute() : []
  const best = [...(await exact.execute()), ...prefixed, ...matches]
  return [...new Map(best.map((row) => [row.id, row])).values()].slice(0, RESULTS_PER_KIND_MAX)
}
