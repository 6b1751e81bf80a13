import type { Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cappedText, countText } from '#src/lib/format/count.ts'
import { tenantHealthQuery } from './tenant-page.api.ts'
import css from './tenant-tabs.module.css'

type Props = { tenant: Tenant }

/** Links to the tabs of a tenant, with the numbers of records. */
export function TenantTabs({ tenant }: Props) {
  const health = useQuery(tenantHealthQuery(tenant.id)).data
  const link = { params: { tenantId: tenant.id }, className: css.tab, resetScroll: false }
  const exact = { activeOptions: { exact: true, includeSearch: false } }
  return (
    <nav ref={showCurrent} aria-label="Tenant" className={css.tabs}>
      <Link to="/tenants/$tenantId" {...link} {...exact}>
        Overview
      </Link>
      <Link to="/tenants/$tenantId/users" {...link}>
        Users <Count>{countText(tenant.admin_count)}</Count>
      </Link>
      <Link to="/tenants/$tenantId/keys" {...link}>
        API Keys <Count>{countText(tenant.api_key_count)}</Count>
      </Link>
      <Link to="/tenants/$tenantId/tasks" {...link}>
        Tasks <Count>{countText(tenant.task_count)}</Count>
      </Link>
      <Link to="/tenants/$tenantId/reviews" {...link}>
        Reviews <Count>{health && cappedText(health.review_count)}</Count>
      </Link>
      <Link to="/tenants/$tenantId/prompt" {...link}>
        Prompt
      </Link>
      <Link to="/tenants/$tenantId/activity" {...link}>
        Activity <Count>{health && cappedText(health.activity_count)}</Count>
      </Link>
    </nav>
  )
}

/** The tabs of a phone scroll sideways. */
function showCurrent(tabs: HTMLElement | null): void {
  tabs?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function Count({ children }: { children: ReactNode }) {
  return <span className={css.count}>{children}</span>
}
