import { HEALTH_TENANTS_SHOWN, type TenantAnalytics } from '@switchboard/contract/dashboard'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/badge/badge.tsx'
import { EmptyState } from '#src/ui/page/empty-state.tsx'
import { countText } from '#src/lib/format/count.ts'
import { STATUS_BADGES } from '#src/tenants/tenant-status-labels.ts'
import { Section } from '#src/ui/card/section.tsx'
import css from './tenant-health.module.css'

const TITLE = 'Tenant Health Overview'

type Tenant = TenantAnalytics['tenants_with_admins'][number]

/** The first tenants by name, with status and number of users. A list of ten needs nothing of `ui/table`. */
export function TenantHealth({ tenants }: { tenants: Tenant[] }) {
  return (
    <Section title={TITLE}>
      {tenants.length === 0 ? (
        <EmptyState title="No tenant data available" />
      ) : (
        <div className={css.card}>
          <table aria-label={TITLE} className={css.table}>
            <thead>
              <tr>
                <th scope="col">Tenant</th>
                <th scope="col">Status</th>
                <th scope="col">Admin Count</th>
              </tr>
            </thead>
            <tbody>
              {tenants.slice(0, HEALTH_TENANTS_SHOWN).map((tenant) => (
                <tr key={tenant.id}>
                  <td>
                    <Name tenant={tenant} />
                  </td>
                  <td>
                    <Badge {...STATUS_BADGES[tenant.status]} dot />
                  </td>
                  <td>
                    <Link to="/tenants/$tenantId/users" params={{ tenantId: tenant.id }} className={css.count}>
                      {countText(tenant.admin_count)}
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

function Name({ tenant }: { tenant: Tenant }) {
  return (
    <Link to="/tenants/$tenantId" params={{ tenantId: tenant.id }} className={css.name} dir="auto" data-tooltip="cut">
      {tenant.name}
    </Link>
  )
}
