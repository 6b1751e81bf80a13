import type { TenantAnalytics } from '@switchboard/contract/dashboard'
import { Breakdown } from './breakdown.tsx'
import css from './dashboard-tiles.module.css'
import { Section } from '#src/ui/card/section.tsx'
import { StatCard } from './stat-card.tsx'
import cards from './stat-card.module.css'
import { TenantGrowth } from './tenant-growth.tsx'
import { TenantHealth } from './tenant-health.tsx'

type Props = { title: string; analytics: TenantAnalytics; totalUsers: number | undefined }

/** Statistics of all tenants. */
export function TenantSection({ title, analytics, totalUsers }: Props) {
  const { total_tenants, tenants_by_status, recent_tenants, recent_since, tenant_growth, tenants_with_admins } =
    analytics
  return (
    <Section title={title}>
      <div className={cards.cards}>
        <StatCard label="Total Tenants" value={total_tenants} to="/tenants" />
        <StatCard label="Active Tenants" value={tenants_by_status.active} to="/tenants" search={{ status: 'active' }} />
        <StatCard
          label="New Tenants (30d)"
          value={recent_tenants}
          to="/tenants"
          search={{ created_from: recent_since }}
        />
        <StatCard
          label="Avg Admins/Tenant"
          value={totalUsers === undefined ? 'N/A' : average(totalUsers, total_tenants)}
          to="/tenants"
          search={{ sort: '-admin_count' }}
        />
      </div>
      <div className={css.two}>
        <Breakdown
          title="Tenant Status Distribution"
          shares={[
            { name: 'Active', status: 'active', count: tenants_by_status.active, color: 'active' as const },
            { name: 'Inactive', status: 'inactive', count: tenants_by_status.inactive, color: 'inactive' as const },
          ].map(({ status, ...share }) => ({ ...share, to: '/tenants', search: { status } }))}
        />
        <TenantGrowth growth={tenant_growth} />
      </div>
      <TenantHealth tenants={tenants_with_admins} />
    </Section>
  )
}

/** Average number of users per tenant, with one decimal; "0.0" without a tenant. */
function average(users: number, tenants: number): string {
  return (tenants === 0 ? 0 : users / tenants).toFixed(1)
}
