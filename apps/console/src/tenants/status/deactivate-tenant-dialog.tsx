import type { Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { counted } from '#src/lib/format/count.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { effectsAhead } from '#src/tenants/tenant-labels.ts'
import { statusEffectsQuery } from './tenant-status.api.ts'

type Props = {
  tenant: Pick<Tenant, 'id' | 'name'>
  onConfirm: () => void
  onClose: () => void
}

/** Asks before the edit of a tenant deactivates it, with the consequences. */
export function DeactivateTenantDialog({ tenant, onConfirm, onClose }: Props) {
  const effects = useQuery(statusEffectsQuery('inactive', [tenant.id]))
  const used = effects.data?.used_api_key_count

  return (
    <ConfirmDialog
      title="Deactivate tenant"
      tone="warning"
      confirmLabel="Deactivate tenant"
      onConfirm={onConfirm}
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
