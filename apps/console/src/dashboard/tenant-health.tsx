import { HEALTH_TENANTS_SHOWN, type TenantAnalytics } from '@switchboard/contract/dashboard'
import { Link } from '@tanstack/react-router'
import { Badge } from '#src/ui/page/badge.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import { EmptyState } from '#src/ui/page/empty-state.tsx'
import { PhoneRow } from '#src/ui/table/phone-row.tsx'
import { counted, countText } from '#src/lib/format/count.ts'
import { STATUS_BADGES } from '#src/tenants/tenant-labels.ts'
import { Tile } from '#src/ui/page/section.tsx'
import css from './tenant-health.module.css'

const TITLE = 'Tenant Health Overview'

type Tenant = TenantAnalytics['tenants_with_admins'][number]

const columns: Column<Tenant>[] = [
  { head: 'Tenant', cell: (tenant) => <Name tenant={tenant} /> },
  { head: 'Status', cell: (tenant) => <Status tenant={tenant} />, width: '25%' },
  {
    head: 'Admin Count',
    cell: (tenant) => (
      <Link to="/users" search={{ tenant_id: tenant.id }} className={css.count}>
        {countText(tenant.admin_count)}
      </Link>
    ),
    width: '20%',
    align: 'end',
  },
]

/** The first tenants by name, with status and number of users. */
export function TenantHealth({ tenants }: { tenants: Tenant[] }) {
  return (
    <Tile title={TITLE} bare>
      {tenants.length === 0 ? (
        <EmptyState title="No tenant data available" />
      ) : (
        <DataTable
          label={TITLE}
          columns={columns}
          rows={tenants.slice(0, HEALTH_TENANTS_SHOWN)}
          rowId={({ id }) => id}
          busy={false}
          renderPhoneRow={(tenant) => (
            <PhoneRow
              name={<Name tenant={tenant} />}
              badge={
                <>
                  <Status tenant={tenant} />
                  <Link to="/users" search={{ tenant_id: tenant.id }} className={css.admins}>
                    {counted(tenant.admin_count, 'admin')}
                  </Link>
                </>
              }
              facts={[]}
            />
          )}
          footer={null}
        />
      )}
    </Tile>
  )
}

function Name({ tenant }: { tenant: Tenant }) {
  return (
    <Link to="/tenants" search={{ id: tenant.id }} className={css.name} dir="auto" data-tooltip="cut">
      {tenant.name}
    </Link>
  )
}

function Status({ tenant: { status } }: { tenant: Tenant }) {
  return <Badge {...STATUS_BADGES[status]} dot />
}
