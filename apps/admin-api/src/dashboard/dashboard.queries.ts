import type { Role } from '@switchboard/contract/auth/current-admin'
import { type TenantAnalytics, TENANTS_NAMED_MAX, type UserAnalytics } from '@switchboard/contract/dashboard'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { prepared } from '@switchboard/database/connection/prepared'
import type { CountedNoun } from '@switchboard/database/column-types'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely } from 'kysely'

// One statement per endpoint reads one snapshot. Planning takes as long as execution, so the statement is prepared
// once per connection; the plan is the same for every day. Days are "2026-11-20".

/** Counters without a first increment have no row. */
type CountedUsers = {
  by_role: Partial<Record<Role, number>>
  by_status: Partial<Record<TenantStatus, number>>
  recent: number
  tenants: UserAnalytics['users_by_tenant']
}

const COUNTED_USERS = prepared(`
  select ${countsBy('users', 'role')} as by_role, ${countsBy('users', 'status')} as by_status,
    ${createdSince('users', '$1')} as recent,
    (
      select coalesce(json_agg(top), '[]')
      from (
        select id as tenant_id, name as tenant, admin_count as count from tenants where admin_count > 0
        order by admin_count desc, id desc limit ${TENANTS_NAMED_MAX}
      ) as top
    ) as tenants`)

export async function countedUsers(db: Kysely<Database>, since: { recentSince: string }): Promise<CountedUsers> {
  const { rows } = await db.executeQuery<CountedUsers>(CompiledQuery.raw(COUNTED_USERS, [since.recentSince]))
  return only(rows)
}

type CountedTenants = {
  by_status: Partial<Record<TenantStatus, number>>
  /** By month: "2026-11". */
  by_month: Partial<Record<string, number>>
  recent: number
  tenants: TenantAnalytics['tenants_with_admins']
}

const COUNTED_TENANTS = prepared(`
  select ${countsBy('tenants', 'status')} as by_status, ${createdSince('tenants', '$1')} as recent,
    (
      select coalesce(json_object_agg(month, count), '{}')
      from (
        select left(value, ${'2026-11'.length}) as month, sum(count) as count from counters
        where noun = 'tenants' and facet = 'day' and value >= $2 group by 1
      ) as months
    ) as by_month,
    (
      select coalesce(json_agg(first), '[]')
      from (select id, name, status, admin_count from tenants order by name, id limit ${TENANTS_NAMED_MAX}) as first
    ) as tenants`)

/** `firstMonth`: first day of the month. */
export async function countedTenants(
  db: Kysely<Database>,
  since: { recentSince: string; firstMonth: string },
): Promise<CountedTenants> {
  const query = CompiledQuery.raw(COUNTED_TENANTS, [since.recentSince, since.firstMonth])
  const { rows } = await db.executeQuery<CountedTenants>(query)
  return only(rows)
}

function countsBy(noun: CountedNoun, facet: 'role' | 'status'): string {
  return `(
    select coalesce(json_object_agg(value, count), '{}')
    from (
      select value, sum(count) as count from counters where noun = '${noun}' and facet = '${facet}' group by value
    ) as counts
  )`
}

function createdSince(noun: CountedNoun, day: string): string {
  return `(
    select coalesce(sum(count), 0)::bigint from counters where noun = '${noun}' and facet = 'day' and value >= ${day}
  )`
}

function only<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}
