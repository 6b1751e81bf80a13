import {
  GROWTH_MONTHS,
  lastMonths,
  recentSince,
  type TenantAnalytics,
  type UserAnalytics,
} from '@switchboard/contract/dashboard'
import type { Deps } from '#src/deps.ts'
import { countedTenants, countedUsers } from './dashboard.queries.ts'

type DashboardDeps = Pick<Deps, 'db' | 'now'>

const ZERO_BY_ROLE = { super_admin: 0, support: 0, auditor: 0, admin: 0, manager: 0, user: 0 }
const ZERO_BY_STATUS = { active: 0, inactive: 0 }

/** Numbers of users in total, by role, by status, by tenant, and of recent users. */
export async function analyticsOfUsers({ db, now }: DashboardDeps): Promise<UserAnalytics> {
  const since = recentSince(now())
  const { by_role, by_status, recent, tenants } = await countedUsers(db, { recentSince: since })
  const users_by_status = { ...ZERO_BY_STATUS, ...by_status }
  return {
    total_users: users_by_status.active + users_by_status.inactive,
    users_by_role: { ...ZERO_BY_ROLE, ...by_role },
    users_by_status,
    users_by_tenant: tenants,
    recent_registrations: recent,
    recent_since: since,
  }
}

/** Numbers of tenants in total, by status, by month, and of recent tenants; the first tenants by name. */
export async function analyticsOfTenants({ db, now }: DashboardDeps): Promise<TenantAnalytics> {
  const at = now()
  const since = recentSince(at)
  const months = lastMonths(at, GROWTH_MONTHS)
  const { by_status, by_month, recent, tenants } = await countedTenants(db, {
    recentSince: since,
    firstMonth: `${months[0]}-01`,
  })
  const tenants_by_status = { ...ZERO_BY_STATUS, ...by_status }
  const total = tenants_by_status.active + tenants_by_status.inactive
  return {
    total_tenants: total,
    tenants_by_status,
    recent_tenants: recent,
    recent_since: since,
    tenant_growth: total === 0 ? [] : months.map((month) => ({ month, count: by_month[month] ?? 0 })),
    tenants_with_admins: tenants,
  }
}
