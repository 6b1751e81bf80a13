import type { Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#src/lib/format/count.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { effectsAhead } from './tenant-labels.ts'
import { deactivateTenant, statusEffectsQuery } from './tenant-status.api.ts'

type Props = {
  tenant: Pick<Tenant, 'id' | 'name'>
  /** By default the dialog deactivates the tenant, reports the effect, and closes. */
  onConfirm?: () => void
  onClose: () => void
}

/** Asks before a tenant is deactivated, with the consequences. */
export function DeactivateTenantDialog({ tenant, onConfirm, onClose }: Props) {
  const effects = useQuery(statusEffectsQuery('inactive', [tenant.id]))
  const used = effects.data?.used_api_key_count

  async function deactivate() {
    await deactivateTenant(tenant, effects.data)
    onClose()
  }

  return (
    <ConfirmDialog
      title="Deactivate tenant"
      tone="warning"
      confirmLabel="Deactivate tenant"
      failure="Failed to update tenant"
      onConfirm={onConfirm ?? deactivate}
      onClose={onClose}
    >
      <p>
        Deactivate <strong dir="auto">{tenant.name}</strong>? {effectsAhead('inactive', effects.data)}
      </p>
      {used !== 0 && !effects.isPending && (
        <p>
          {used === undefined ? 'Keys' : counted(used, 'key')} of <strong dir="auto">{tenant.name}</strong>{' '}
          {used === undefined ? 'may have been' : used === 1 ? 'was' : 'were'} used in the last hour.
        </p>
      )}
    </ConfirmDialog>
  )
}
