import type { Tenant } from '@switchboard/contract/tenants'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { usePurgeTenant } from './deleted-tenants.api.ts'
import { TenantRecords } from './tenant-records.tsx'

type Props = { tenant: Tenant; onClose: () => void }

/** Asks for the name of a deleted tenant before the tenant and all its records are permanently deleted. */
export function PurgeTenantDialog({ tenant, onClose }: Props) {
  const purge = usePurgeTenant()
  return (
    <ConfirmDelete
      title="Delete Permanently"
      confirmLabel="Delete Permanently"
      failure="The tenant could not be deleted permanently."
      success={`${tenant.name} was permanently deleted.`}
      mustType={tenant.name}
      onDelete={() => purge.mutateAsync(tenant)}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong> permanently? This cannot be undone. The activity log remains.
      </p>
      <TenantRecords tenant={tenant} />
    </ConfirmDelete>
  )
}
