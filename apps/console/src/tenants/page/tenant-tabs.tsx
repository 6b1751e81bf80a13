import type { Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { cappedText, countText } from '#src/lib/format/count.ts'
import { TabCount, Tabs } from '#src/ui/page/tabs.tsx'
import { tenantHealthQuery } from './tenant-page.api.ts'

type Props = { tenant: Tenant }

/** Links to the tabs of a tenant, with the numbers of records. */
export function TenantTabs({ tenant }: Props) {
  const health = useQuery(tenantHealthQuery(tenant.id)).data
  const link = { params: { tenantId: tenant.id }, resetScroll: false }
  const exact = { activeOptions: { exact: true, includeSearch: false } }
  return (
    <Tabs label="Tenant">
      <Link to="/tenants/$tenantId" {...link} {...exact}>
        Overview
      </Link>
      <Link to="/tenants/$tenantId/users" {...link}>
        Users <TabCount>{countText(tenant.admin_count)}</TabCount>
      </Link>
      <Link to="/tenants/$tenantId/keys" {...link}>
        API Keys <TabCount>{countText(tenant.api_key_count)}</TabCount>
      </Link>
      <Link to="/tenants/$tenantId/tasks" {...link}>
        Tasks <TabCount>{countText(tenant.task_count)}</TabCount>
      </Link>
      <Link to="/tenants/$tenantId/reviews" {...link}>
        Reviews <TabCount>{health && cappedText(health.review_count)}</TabCount>
      </Link>
      <Link to="/tenants/$tenantId/prompt" {...link}>
        Prompt
      </Link>
      <Link to="/tenants/$tenantId/activity" {...link}>
        Activity <TabCount>{health && cappedText(health.activity_count)}</TabCount>
      </Link>
    </Tabs>
  )
}
