import { ExportDialog } from '#src/ui/list/export-dialog.tsx'
import { listText } from '#src/lib/count.ts'
import { filtersOf } from '#src/lib/list-address.ts'
import { tenantsFile } from './bulk-tenants.api.ts'
import type { TenantList } from './tenants.api.ts'

type Props = { list: TenantList; total: string | undefined; onClose: () => void }

export function ExportTenantsDialog({ list, total, onClose }: Props) {
  return (
    <ExportDialog
      title="Export Tenants"
      what={listText(total, 'tenant', filtersOf(list).length > 0)}
      start={(signal) => tenantsFile(list, signal)}
      onClose={onClose}
    />
  )
}
