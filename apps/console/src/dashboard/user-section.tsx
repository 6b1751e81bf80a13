import { TOP_TENANTS_SHOWN, type UserAnalytics } from '@switchboard/contract/dashboard'
import { ROLE_LABELS } from '#src/users/role-labels.ts'
import { Section } from '#src/ui/card/section.tsx'
import { BarList } from './bar-list.tsx'
import { Breakdown } from './breakdown.tsx'
import { Cell } from './cell.tsx'
import css from './panel.module.css'
import { type Growth, StatCard } from './stat-card.tsx'

// Two fixed badges, not computed (departure 7 in docs/product.md).
const TOTAL_USERS_BADGE = '+15%'
const ACTIVE_USERS_BADGE = '+8%'

const ROLES = [
  { role: 'admin', color: 'admin' },
  { role: 'manager', color: 'manager' },
  { role: 'user', color: 'user' },
  { role: 'super_admin', color: 'other' },
] as const
/** Shown with users only: most installations have none. */
const RARE_ROLES = [
  { role: 'support', color: 'other' },
  { role: 'auditor', color: 'other' },
] as const

type Props = { title: string; analytics: UserAnalytics; growth: Growth | undefined }

/** Statistics of all users, including the members. */
export function UserSection({ title, analytics, growth }: Props) {
  const { total_users, users_by_role, users_by_status, users_by_tenant, recent_registrations, recent_since } = analytics
  return (
    <Section title={title}>
      <div className={css.panel}>
        <StatCard label="Total Users" value={total_users} badge={TOTAL_USERS_BADGE} to="/users" />
        <StatCard
          label="Active Users"
          value={users_by_status.active}
          badge={ACTIVE_USERS_BADGE}
          to="/users"
          search={{ is_active: 'true' }}
        />
        <StatCard label="Admins" value={users_by_role.admin} to="/users" search={{ role: 'admin' }} />
        <StatCard
          label="New Users (30d)"
          value={recent_registrations}
          growth={growth}
          to="/users"
          search={{ created_from: recent_since }}
        />
        <Breakdown
          title="Users by Role"
          shares={[...ROLES, ...RARE_ROLES.filter(({ role }) => users_by_role[role] > 0)].map(({ role, color }) => ({
            name: ROLE_LABELS[role],
            count: users_by_role[role],
            color,
            to: '/users',
            search: { role },
          }))}
        />
        <Breakdown
          title="User Status Distribution"
          shares={[
            { name: 'Active', is_active: 'true', color: 'active' as const, count: users_by_status.active },
            { name: 'Inactive', is_active: 'false', color: 'inactive' as const, count: users_by_status.inactive },
          ].map(({ is_active, ...share }) => ({ ...share, to: '/users', search: { is_active } }))}
        />
        <Cell title="Top Tenants by User Count" isWide>
          <BarList
            items={users_by_tenant.slice(0, TOP_TENANTS_SHOWN).map(({ tenant_id, tenant, count }) => ({
              id: tenant_id,
              name: tenant,
              count,
              to: '/tenants/$tenantId/users',
              params: { tenantId: tenant_id },
            }))}
            empty="No tenant has users yet."
          />
        </Cell>
      </div>
    </Section>
  )
}
