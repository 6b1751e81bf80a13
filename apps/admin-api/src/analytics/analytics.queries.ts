import type { Role } from '@switchboard/contract/admins'
import { type TenantAnalytics, TENANTS_NAMED_MAX, type UserAnalytics } from '@switchboard/contract/analytics'
import type { TenantStatus } from '@switchboard/contract/tenants'
import type { CountedNoun, Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Counters that were never more than nothing are missing. */
type CountedUsers = {
  by_role: Partial<Record<Role, number>>
  by_status: Partial<Record<TenantStatus, number>>
  recent: number
  tenants: UserAnalytics['users_by_tenant']
}

/** One statement, so that all of it is of one moment. Days are as "2026-11-20". */
export async function countedUsers(db: Kysely<Database>, since: { recentSince: string }): Promise<CountedUsers> {
  const { rows } = await sql<CountedUsers>`
    select ${countsBy('admins', 'role')} as by_role, ${countsBy('admins', 'status')} as by_status,
      ${createdSince('admins', since.recentSince)} as recent,
      (
        select coalesce(json_agg(top), '[]')
        from (
          select id as tenant_id, name as tenant, admin_count as count from tenants where admin_count > 0
          order by admin_count desc, id desc limit ${sql.lit(TENANTS_NAMED_MAX)}
        ) as top
      ) as tenants`.execute(db)
  return only(rows)
}

type CountedTenants = {
  by_status: Partial<Record<TenantStatus, number>>
  by_month: Partial<Record<string, number>>
  recent: number
  tenants: TenantAnalytics['tenants_with_admins']
}

/** One statement, so that all of it is of one moment. Days are as "2026-11-20", months as "2026-11". */
export async function countedTenants(
  db: Kysely<Database>,
  since: { recentSince: string; firstMonth: string },
): Promise<CountedTenants> {
  const { rows } = await sql<CountedTenants>`
    select ${countsBy('tenants', 'status')} as by_status, ${createdSince('tenants', since.recentSince)} as recent,
      (
        select coalesce(json_object_agg(month, count), '{}')
        from (
          select left(value, ${sql.lit('2026-11'.length)}) as month, sum(count) as count from counts_of('tenants')
          where facet = 'day' and value >= ${since.firstMonth} group by 1
        ) as months
      ) as by_month,
      (
        select coalesce(json_agg(first), '[]')
        from (
          select id, name, status, admin_count from tenants order by name, id limit ${sql.lit(TENANTS_NAMED_MAX)}
        ) as first
      ) as tenants`.execute(db)
  return only(rows)
}

function countsBy(noun: CountedNoun, facet: 'role' | 'status') {
  return sql`(
    select coalesce(json_object_agg(value, count), '{}') from counts_of(${sql.lit(noun)}) where facet = ${sql.lit(facet)}
  )`
}

function createdSince(noun: CountedNoun, day: string) {
  return sql`(
    select coalesce(sum(count), 0)::bigint from counts_of(${sql.lit(noun)}) where facet = 'day' and value >= ${day}
  )`
}

function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('A statement of one row answered none.')
  return row
}
