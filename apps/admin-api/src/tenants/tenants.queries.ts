import {
  type StatusEffects,
  type Tenant,
  tenant,
  tenantList,
  type TenantListQuery,
} from '@switchboard/contract/tenants'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type SqlBool, type Transaction, type Updateable } from 'kysely'
import * as z from 'zod/mini'
import { isOfRecords, needsAttention, refusedKeys } from '@switchboard/database/attention/attention.queries'
import { isWorkingInActiveTenant } from '#src/api-keys/key-state.queries.ts'
import { type Counter, totalFromCounters } from '#src/lists/counters.queries.ts'
import { NOT_DELETED, presentOrDeleted } from '#src/lists/deletions/deletions.queries.ts'
import {
  contains,
  createdFrom,
  createdTo,
  isSearch,
  searchTerm,
  updatedSince,
  whenSet,
} from '#src/lists/filters.queries.ts'
import { type Order, orderOf } from '#src/lists/rows.queries.ts'

const COLUMNS = z.keyof(
  z.omit(tenant, { test_api_key_count: true, working_api_key_count: true, deleted_at: true }),
).options

const workingKeys = sql<number>`(case when tenants.status = 'active' then (
  select count(*) from api_keys where api_keys.tenant_id = tenants.id and ${isWorkingInActiveTenant}
) else 0 end)`.as('working_api_key_count')

const testKeys = sql<number>`(
  select count(*) from api_keys where api_keys.tenant_id = tenants.id and api_keys.environment = 'test'
)`.as('test_api_key_count')
const KEY_COUNTS = [testKeys, workingKeys]
/** The columns of a tenant that is not deleted. */
const COMPUTED = [...KEY_COUNTS, NOT_DELETED] as const

/** Maximum number of tags in the filter of the list. */
const LISTED_TAGS_MAX = 500

const COUNTERS: readonly Counter[] = [
  { filters: [], facet: 'status' },
  { filters: ['status'], facet: 'status' },
  { filters: ['tenant_type'], facet: 'tenant_type' },
  { filters: ['tenant_type', 'status'], facet: 'type_and_status' },
  { filters: ['attention'], facet: 'attention', only: ['no_active_admin'] },
]

/** Each tenant with a refused key, and the refusals of its most refused key. */
const refused = sql<{ refused_tenant: string; most_refused: number }>`(
  select tenant_id as refused_tenant, max(refused) as most_refused from ${refusedKeys} as keys group by tenant_id
)`.as<'refused'>('refused')

/** The list of tenants. */
export const listedTenants = {
  matching: matchingTenants,
  order: ({ attention, sort }: FiltersOf<TenantListQuery>): Order =>
    orderOf(sort ?? (attention === 'keys_refused' ? '-most_refused' : tenantList.defaultSort)),
  total: (query: TenantListQuery) =>
    query.deleted === undefined ? totalFromCounters('tenants', COUNTERS, query) : undefined,
  isCollected: ({ q, attention }: TenantListQuery) => isSearch(q) || isOfRecords(attention),
}

/** The matching tenants, unsorted. */
export function matchingTenants(db: Kysely<Database>, query: FiltersOf<TenantListQuery>) {
  const { q, id, external_id, status, tenant_type, attention, tag, deleted, created_from, created_to, updated_since } =
    query
  return db
    .selectFrom(presentOrDeleted('tenants', deleted !== undefined))
    .select([...COLUMNS, 'deleted_at'])
    .select(KEY_COUNTS)
    .$call(whenSet(id, (matching, value) => matching.where('id', '=', value)))
    .$call(whenSet(external_id, (matching, value) => matching.where('external_id', '=', value)))
    .$call(whenSet(status, (matching, value) => matching.where('status', 'in', value)))
    .$call(whenSet(tenant_type, (matching, value) => matching.where('tenant_type', 'in', value)))
    .$call(whenSet(attention, (matching, value) => matching.where(needsAttention(value))))
    .$if(attention === 'keys_refused', (matching) => matching.innerJoin(refused, 'refused_tenant', 'tenants.id'))
    .$call(whenSet(tag, (matching, value) => matching.where(sql<SqlBool>`tags @> array[${value}]::text[]`)))
    .$call(whenSet(created_from, (matching, value) => matching.where(createdFrom(value))))
    .$call(whenSet(created_to, (matching, value) => matching.where(createdTo(value))))
    .$call(whenSet(updated_since, (matching, value) => matching.where(updatedSince(value))))
    .$call(whenSet(searchTerm(q), (matching, term) => matching.where(contains(term))))
}

export async function tenantById(db: Kysely<Database>, id: string): Promise<Tenant | undefined> {
  return await matchingTenants(db, { id }).executeTakeFirst()
}

export async function insertTenant(db: Kysely<Database>, values: Insertable<Database['tenants']>): Promise<Tenant> {
  return await db.insertInto('tenants').values(values).returning(COLUMNS).returning(COMPUTED).executeTakeFirstOrThrow()
}

export async function lockTenant(trx: Transaction<Database>, id: string): Promise<Tenant | undefined> {
  return await trx
    .selectFrom('tenants')
    .select(COLUMNS)
    .select(COMPUTED)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateTenantRow(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['tenants']>,
): Promise<Tenant> {
  return await trx
    .updateTable('tenants')
    .set(changes)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .returning(COMPUTED)
    .executeTakeFirstOrThrow()
}

/** Counts the records of the tenants whose status would change, by the clock of the database. */
export async function countStatusEffects(
  db: Kysely<Database>,
  { status, ids }: { status: Tenant['status']; ids: readonly string[] },
): Promise<StatusEffects> {
  const { rows } = await sql<StatusEffects>`
    with changing as (select id from tenants where id = any(${ids}::uuid[]) and status <> ${status}),
    keys as (
      select id from api_keys
      where tenant_id in (select id from changing) and ${isWorkingInActiveTenant}
    )
    select
      (select count(*)::int from changing) as tenant_count,
      (select count(*)::int from keys) as api_key_count,
      (
        select count(distinct api_key_id)::int from api_key_calls
        where api_key_id in (select id from keys) and outcome = 'valid'
          and since >= date_trunc('hour', now() - interval '1 hour', 'UTC') and last_at > now() - interval '1 hour'
      ) as used_api_key_count,
      (
        select count(*)::int from tasks where tenant_id in (select id from changing) and not is_paused
      ) as task_count`.execute(db)
  const [effects] = rows
  if (effects === undefined) throw new Error('The query returned no row.')
  return effects
}

/** The tags of all tenants, by name. */
export async function tenantTags(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct unnest(tags) as tag from tenants where tags <> '{}' order by tag limit ${LISTED_TAGS_MAX}`.execute(
    db,
  )
  return rows.map(({ tag }) => tag)
}
