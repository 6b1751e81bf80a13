import { type Kysely, sql, type Transaction } from 'kysely'
import type { CountedFacet, CountedNoun, Database } from './tables.ts'

/** A counter that did not say what there was. `where` names it: `admins by role, manager`, `task_count of tenant …`. */
export type Difference = { where: string; kept: number; counted: number }

const TRIES = 5
/** SQLSTATE serialization_failure. */
const SOMEBODY_WROTE = '40001'

/**
 * Counts everything that the database keeps counters of, mends those that differ and returns them. All in one
 * transaction that sees one moment, while others go on writing: what they add comes on top of what is mended. Several
 * at once wait for each other.
 */
export async function recount(db: Kysely<Database>): Promise<Difference[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (trx) => {
          // The first statement, so that what is seen is from after the wait. Only recounts and VACUUM take this lock.
          await sql`lock table counter_changes in share update exclusive mode`.execute(trx)
          return [...(await mendCounters(trx)), ...(await mendTenants(trx))]
        })
    } catch (error) {
      if (tries === TRIES || !wasOvertaken(error)) throw error
    }
  }
}

function wasOvertaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === SOMEBODY_WROTE
}

type Counter = { noun: CountedNoun; facet: CountedFacet; value: string; kept: number; counted: number }

/** What is missing is added as one more change: that is right whatever others add at the same time. */
async function mendCounters(trx: Transaction<Database>): Promise<Difference[]> {
  const { rows } = await sql<Counter>`
    with counted as (
      select 'admins' as noun, 'role' as facet, role as value, count(*) from admins group by role
      union all
      select 'admins', 'status', case when is_active then 'active' else 'inactive' end, count(*) from admins
      group by is_active
      union all
      select 'admins', 'day', (created_at at time zone 'UTC')::date::text, count(*) from admins group by 3
      union all
      select 'admins', 'role_and_status', role || case when is_active then ' active' else ' inactive' end, count(*)
      from admins group by role, is_active
      union all
      select 'tenants', 'status', status, count(*) from tenants group by status
      union all
      select 'tenants', 'day', (created_at at time zone 'UTC')::date::text, count(*) from tenants group by 3
      union all
      select 'tenants', 'tenant_type', tenant_type, count(*) from tenants group by tenant_type
      union all
      select 'tenants', 'type_and_status', tenant_type || ' ' || status, count(*) from tenants
      group by tenant_type, status
      union all
      select 'tenants', 'attention', 'no_active_admin', count(*) from tenants
      where status = 'active' and active_admin_count = 0
      union all
      select 'tasks', 'status', case when is_paused then 'paused' else 'active' end, count(*) from tasks
      group by is_paused
      union all
      select 'tasks', 'attention', 'failing', count(*) from tasks where last_outcome = 'failed'
      union all
      select 'tasks', 'frequency', frequency, count(*) from tasks group by frequency
    ), kept as (
      select 'admins' as noun, facet, value, count from counts_of('admins')
      union all select 'tenants', facet, value, count from counts_of('tenants')
      union all select 'tasks', facet, value, count from counts_of('tasks')
    )
    select noun, facet, value, coalesce(kept.count, 0) as kept, coalesce(counted.count, 0) as counted
    from counted full join kept using (noun, facet, value)
    where coalesce(kept.count, 0) <> coalesce(counted.count, 0)
    order by noun, facet, value`.execute(trx)
  for (const { noun, facet, value, kept, counted } of rows)
    await sql`
      insert into counter_changes (noun, ${sql.ref(facet)}, step) values (${noun}, ${value}, ${counted - kept})`.execute(
      trx,
    )
  return rows.map(({ noun, facet, value, kept, counted }) => ({
    where: `${noun} by ${facet}, ${value}`,
    kept,
    counted,
  }))
}

const TENANTS_COUNTED = sql`(
  select tenants.id, coalesce(admins.n, 0) as admin_count, coalesce(admins.active, 0) as active_admin_count,
    coalesce(api_keys.n, 0) as api_key_count, coalesce(api_keys.active, 0) as active_api_key_count,
    coalesce(tasks.n, 0) as task_count
  from tenants
  left join (
    select tenant_id, count(*) as n, count(*) filter (where is_active and role = 'admin') as active
    from admins group by tenant_id
  ) as admins on admins.tenant_id = tenants.id
  left join (
    select tenant_id, count(*) as n, count(*) filter (where is_active) as active
    from api_keys where deleted_at is null group by tenant_id
  ) as api_keys on api_keys.tenant_id = tenants.id
  left join (select tenant_id, count(*) as n from tasks group by tenant_id) as tasks on tasks.tenant_id = tenants.id
)`

async function mendTenants(trx: Transaction<Database>): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    select counts.name || ' of tenant ' || tenants.id as where, kept, counted
    from tenants
    join ${TENANTS_COUNTED} as found on found.id = tenants.id
    cross join lateral (values
      ('admin_count', tenants.admin_count, found.admin_count),
      ('active_admin_count', tenants.active_admin_count, found.active_admin_count),
      ('api_key_count', tenants.api_key_count, found.api_key_count),
      ('active_api_key_count', tenants.active_api_key_count, found.active_api_key_count),
      ('task_count', tenants.task_count, found.task_count)
    ) as counts (name, kept, counted)
    where kept <> counted
    order by tenants.id, counts.name`.execute(trx)
  if (rows.length > 0)
    await sql`
      update tenants set (admin_count, active_admin_count, api_key_count, active_api_key_count, task_count)
        = (found.admin_count, found.active_admin_count, found.api_key_count, found.active_api_key_count, found.task_count)
      from ${TENANTS_COUNTED} as found
      where found.id = tenants.id
        and (tenants.admin_count, tenants.active_admin_count, tenants.api_key_count, tenants.active_api_key_count,
          tenants.task_count)
        is distinct from (found.admin_count, found.active_admin_count, found.api_key_count,
          found.active_api_key_count, found.task_count)`.execute(trx)
  return rows
}
