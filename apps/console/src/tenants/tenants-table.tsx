import { tenantUrl } from '@switchboard/contract/tenants/subdomain'
import type { Tenant } from '@switchboard/contract/tenants'
import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { Day } from '#src/ui/time/day.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { counted } from '#src/lib/format/count.ts'
import { columnsOfDeleted, keptUntilText } from '#src/ui/list/deleted-records.tsx'
import { TYPE_BADGES } from './tenant-labels.ts'
import { STATUS_BADGES } from './tenant-status-labels.ts'
import css from './tenants-table.module.css'

const COUNT = { align: 'end', isOptional: true, skeleton: '24px' } as const

export const TENANT_COLUMNS: Column<Tenant>[] = [
  {
    head: 'Name',
    cell: (tenant) => <NameLink tenant={tenant} />,
    sort: { by: 'name', first: 'ascending' },
    skeleton: '65%',
  },
  {
    head: 'Subdomain',
    cell: (tenant) => <SiteLink tenant={tenant} />,
    sort: { by: 'subdomain', first: 'ascending' },
    width: '21%',
    skeleton: '55%',
  },
  {
    head: 'Type',
    cell: (tenant) => <Badge {...TYPE_BADGES[tenant.tenant_type]} />,
    visibleFrom: 'small',
    skeleton: '60px',
  },
  { head: 'Status', cell: (tenant) => <StatusBadge tenant={tenant} />, skeleton: '64px' },
  {
    head: 'Created',
    cell: (tenant) => <Day moment={tenant.created_at} />,
    sort: { by: 'created_at', first: 'descending' },
    visibleFrom: 'medium',
    skeleton: '80px',
  },
  {
    head: 'Admins',
    cell: (tenant) => tenant.admin_count,
    sort: { by: 'admin_count', first: 'descending' },
    align: 'end',
    skeleton: '24px',
  },
  { head: 'API keys', cell: (tenant) => tenant.api_key_count, ...COUNT },
  { head: 'Tasks', cell: (tenant) => tenant.task_count, ...COUNT },
  {
    head: 'Tags',
    cell: ({ tags }) => (
      <div className="cut" data-tooltip="cut">
        {tags.join(', ')}
      </div>
    ),
    width: '16%',
    isOptional: true,
    skeleton: '60%',
  },
]

/** The columns of deleted tenants: until when they can be restored. */
export const DELETED_COLUMNS = columnsOfDeleted(TENANT_COLUMNS, 'Created')

/** A tenant on a phone. */
export function TenantPhoneRow({ tenant }: { tenant: Tenant }) {
  return (
    <PhoneRow
      name={<NameLink tenant={tenant} />}
      badge={<StatusBadge tenant={tenant} />}
      facts={[
        tenant.subdomain,
        TYPE_BADGES[tenant.tenant_type].text,
        tenant.deleted_at === null ? counted(tenant.admin_count, 'admin') : keptUntilText(tenant.deleted_at),
      ]}
      truncatedFact={0}
    />
  )
}

/** Opens the page of the tenant. A name may be right-to-left text. */
function NameLink({ tenant }: { tenant: Tenant }) {
  return (
    <Link
      to="/tenants/$tenantId"
      params={{ tenantId: tenant.id }}
      dir="auto"
      className={`${css.lines} text-link record-name`}
      data-tooltip="cut"
    >
      {tenant.name}
    </Link>
  )
}

/** Opens the tenant's public site in a new tab. */
function SiteLink({ tenant: { subdomain } }: { tenant: Tenant }) {
  return (
    <a
      href={tenantUrl(subdomain, consoleSettings.platform_domain)}
      target="_blank"
      rel="noopener noreferrer"
      className={css.site}
    >
      <span className={`${css.lines} ${css.subdomain}`} data-tooltip="cut">
        {subdomain}
      </span>
      <IconExternalLink size={14} className="ink-3" aria-hidden />
    </a>
  )
}

function StatusBadge({ tenant }: { tenant: Tenant }) {
  if (tenant.deleted_at !== null) return <Badge tone="neutral" text="Deleted" dot />
  return <Badge {...STATUS_BADGES[tenant.status]} dot />
}
