import {
  type Tenant,
  TENANT_SORT_DEFAULT,
  type TenantListQuery,
  type UpdateTenantBody,
} from '@switchboard/contract/tenants'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { isOfKeys, needsAttention, refusedKeys } from '#src/lists/attention.queries.ts'
import { createdFrom, createdTo } from '#src/lists/created.queries.ts'
import { totalOf } from '#src/lists/kept-totals.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { holds, isSearch } from '#src/lists/search.queries.ts'

export const TENANT_COLUMNS = [
  'id',
  'name',
  'subdomain',
  'status',
  'tenant_type',
  'goal',
  'aggressiveness',
  'admin_count',
  'api_key_count',
  'active_api_key_count',
  'task_count',
  'version',
  'created_at',
] as const satisfies (keyof Tenant)[]

export async function pageOfTenants(
  db: Kysely<Database>,
  query: TenantListQuery & { limit: number },
): Promise<Page<Tenant>> {
  const { q, attention, sort } = query
  const matching = matchingTenants(db, query)
  if (attention === 'keys_refused' && sort === undefined)
    return await readPage(db, withMostRefused(matching), { ...query, sort: '-most_refused' }, { isCollected: true })
  return await readPage(
    db,
    matching,
    { ...query, sort: sort ?? TENANT_SORT_DEFAULT },
    { total: totalOf('tenants', query), isCollected: isSearch(q) || isOfKeys(attention) },
  )
}

/** Joins each tenant to the highest refusal count among its keys. */
function withMostRefused(matching: ReturnType<typeof matchingTenants>) {
  const most = sql<{ refused_tenant: string; most_refused: number }>`(
    select tenant_id as refused_tenant, max(refused) as most_refused from ${refusedKeys} as keys group by tenant_id
  )`.as('refused')
  return matching.innerJoin(most, 'refused_tenant', 'tenants.id').select('most_refused')
}

/** All matching tenants in the order of the list. */
export function sortedTenants(db: Kysely<Database>, query: TenantListQuery) {
  const sort = query.sort ?? TENANT_SORT_DEFAULT
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return matchingTenants(db, query)
    .orderBy(sql.ref(sort.replace(/^-/, '')), direction)
    .orderBy('id', direction)
}

/** Matching tenants, unsorted. */
export function matchingTenants(db: Kysely<Database>, query: TenantListQuery) {
  const { q, id, status, tenant_type, attention, created_from, created_to } = query
  return db
    .selectFrom('tenants')
    .select(TENANT_COLUMNS)
    .$if(id !== undefined, (matching) => matching.where('id', '=', id ?? ''))
    .$if(status !== undefined, (matching) => matching.where('status', '=', status ?? 'active'))
    .$if(tenant_type !== undefined, (matching) => matching.where('tenant_type', '=', tenant_type ?? 'product'))
    .$if(attention !== undefined, (matching) => matching.where(needsAttention(attention ?? 'no_active_admin')))
    .$if(created_from !== undefined, (matching) => matching.where(createdFrom(created_from ?? '')))
    .$if(created_to !== undefined, (matching) => matching.where(createdTo(created_to ?? '')))
    .$if(isSearch(q), (matching) => matching.where(holds(q ?? '')))
}

/** Whether a tenant matches a list query. */
export async function matchesTenant(db: Kysely<Database>, query: TenantListQuery, id: string): Promise<boolean> {
  return (await matchingTenants(db, query).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The names of these tenants by their ids. */
export async function namesOfTenants(db: Kysely<Database>, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('tenants').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function insertTenant(db: Kysely<Database>, tenant: Insertable<Database['tenants']>): Promise<Tenant> {
  return await db.insertInto('tenants').values(tenant).returning(TENANT_COLUMNS).executeTakeFirstOrThrow()
}

export async function lockTenant(trx: Transaction<Database>, id: string): Promise<Tenant | undefined> {
  return await trx.selectFrom('tenants').select(TENANT_COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function updateTenantRow(
  trx: Transaction<Database>,
  id: string,
  changes: UpdateTenantBody,
): Promise<Tenant> {
  return await trx
    .updateTable('tenants')
    .set(changes)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(TENANT_COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteTenantRow(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('tenants').where('id', '=', id).execute()
}
