import type { Tenant } from '@switchboard/contract/tenants'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { belongings } from './tenant-labels.ts'
import { useDeleteTenant } from './tenants.api.ts'

type Props = { tenant: Tenant; onDeleted: () => void; onClose: () => void }

/** Asks before a tenant and all that belongs to it is removed (spec §2, Tenants). */
export function DeleteTenantDialog({ tenant, onDeleted, onClose }: Props) {
  const deletion = useDeleteTenant()
  const gone = belongings(tenant)

  function deleteTenant() {
    deletion.mutate(tenant, {
      onSuccess: () => {
        onClose()
        notify('ok', `${tenant.name} was deleted.`)
        onDeleted()
      },
    })
  }

  return (
    <ConfirmDialog
      title="Delete Tenant"
      tone="danger"
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.isError ? messageOf(deletion.error, 'The tenant could not be deleted.') : null}
      onConfirm={deleteTenant}
      onClose={onClose}
    >
      <p>
        Delete <strong dir="auto">{tenant.name}</strong>? This cannot be undone and removes all associated data
        {gone === '' ? '.' : `: ${gone}.`}
      </p>
    </ConfirmDialog>
  )
}
