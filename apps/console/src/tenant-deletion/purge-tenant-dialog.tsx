import type { Tenant } from '@switchboard/contract/tenants'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { usePurgeTenant } from './deleted-tenants.api.ts'
import { TenantRecords } from './tenant-records.tsx'

type Props = { tenant: Tenant; onClose: () => void }

/** Asks for the name of a deleted tenant before the tenant and all its records are deleted for ever. */
export function PurgeTenantDialog({ tenant, onClose }: Props) {
  const purge = usePurgeTenant()
  return (
    <ConfirmDelete
      title="Delete for ever"
      confirmLabel="Delete for ever"
      failure="The tenant could not be deleted for ever."
      success={`${tenant.name} was deleted for ever.`}
      mustType={tenant.name}
      onDelete={() => purge.mutateAsync(tenant)}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong> for ever? This cannot be undone. The activity log remains.
      </p>
      <TenantRecords tenant={tenant} />
    </ConfirmDelete>
  )
}
