import type { Tenant } from '@switchboard/contract/tenants'
import { DELETION_KEPT_DAYS } from '@switchboard/contract/wire/deletions'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { restoreDeleted } from './deleted-tenants.api.ts'
import { TenantRecords } from './tenant-records.tsx'
import { statusEffectsQuery } from '#src/tenants/status/tenant-status.api.ts'
import { useDeleteTenant } from '#src/tenants/tenants.api.ts'

type Props = { tenant: Tenant; onDeleted: () => void; onClose: () => void }

/** Asks for the name of a tenant before the tenant and all its records are deleted. */
export function DeleteTenantDialog({ tenant, ...on }: Props) {
  const deletion = useDeleteTenant()
  const used = useQuery(statusEffectsQuery('inactive', [tenant.id])).data?.used_api_key_count ?? 0
  return (
    <ConfirmDelete
      title="Delete Tenant"
      failure="The tenant could not be deleted."
      success={`${tenant.name} was deleted.`}
      mustType={tenant.name}
      onDelete={() => deletion.mutateAsync(tenant)}
      undo={{ about: tenant.id, onUndo: () => restoreDeleted(tenant) }}
      {...on}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong>? Its keys are refused and its tasks stop within a second. For{' '}
        {DELETION_KEPT_DAYS} days the tenant can be restored with all its records. After that, they are permanently
        deleted.
      </p>
      <TenantRecords tenant={tenant} used={used} />
    </ConfirmDelete>
  )
}
