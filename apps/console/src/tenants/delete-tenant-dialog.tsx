import type { Tenant } from '@switchboard/contract/tenants'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { belongings } from './tenant-labels.ts'
import { useDeleteTenant } from './tenants.api.ts'

type Props = { tenant: Tenant; onDeleted: () => void; onClose: () => void }

/** Asks before a tenant and all its records are deleted. */
export function DeleteTenantDialog({ tenant, ...on }: Props) {
  const deletion = useDeleteTenant()
  const records = belongings(tenant)
  return (
    <ConfirmDelete
      title="Delete Tenant"
      failure="The tenant could not be deleted."
      success={`${tenant.name} was deleted.`}
      onDelete={() => deletion.mutateAsync(tenant)}
      {...on}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong>? This cannot be undone and removes all associated data
        {records === '' ? '.' : `: ${records}.`}
      </p>
    </ConfirmDelete>
  )
}
