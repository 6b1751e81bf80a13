import type { StatusEffects, Tenant } from '@switchboard/contract/tenants'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { SuspensionEffects } from './suspension-effects.tsx'

type Props = {
  tenant: Pick<Tenant, 'name'>
  effects: StatusEffects | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before the edit of a tenant suspends it, with the consequences. */
export function ConfirmSuspensionDialog({ tenant, effects, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Suspend Tenant"
      tone="danger"
      confirmLabel="Suspend Tenant"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <SuspensionEffects tenant={tenant} effects={effects} />
    </ConfirmDialog>
  )
}
