import type { TenantAnalytics } from '@switchboard/contract/dashboard'
import { Section } from '#src/ui/card/section.tsx'
import { Breakdown } from './breakdown.tsx'
import css from './panel.module.css'
import { type Growth, StatCard } from './stat-card.tsx'
import { TenantGrowth } from './tenant-growth.tsx'

type Props = {
  title: string
  analytics: TenantAnalytics
  totalUsers: number | undefined
  growth: Growth | undefined
}

/** Statistics of all tenants. */
export function TenantSection({ title, analytics, totalUsers, growth }: Props) {
  const { total_tenants, tenants_by_status, recent_tenants, recent_since, tenant_growth } = analytics
  return (
    <Section title={title}>
      <div className={css.panel}>
        <StatCard label="Total Tenants" value={total_tenants} to="/tenants" />
        <StatCard label="Active Tenants" value={tenants_by_status.active} to="/tenants" search={{ status: 'active' }} />
        <StatCard
          label="New Tenants (30d)"
          value={recent_tenants}
          growth={growth}
          to="/tenants"
          search={{ created_from: recent_since }}
        />
        <StatCard
          label="Avg Admins/Tenant"
          value={totalUsers === undefined ? 'N/A' : average(totalUsers, total_tenants)}
          to="/tenants"
          search={{ sort: '-admin_count' }}
        />
        <Breakdown
          title="Tenant Status Distribution"
          isWide
          shares={[
            { name: 'Active', status: 'active', count: tenants_by_status.active, color: 'active' as const },
            { name: 'Inactive', status: 'inactive', count: tenants_by_status.inactive, color: 'inactive' as const },
          ].map(({ status, ...share }) => ({ ...share, to: '/tenants', search: { status } }))}
          empty="No tenants yet."
        />
        <TenantGrowth growth={tenant_growth} />
      </div>
    </Section>
  )
}

/** Average number of users per tenant, with one decimal; "0.0" without a tenant. */
function average(users: number, tenants: number): string {
  return (tenants === 0 ? 0 : users / tenants).toFixed(1)
}
