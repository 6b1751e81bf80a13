import type { Invitation } from '@switchboard/contract/invitations'
import { notify } from '#src/lib/notify.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { useWithdraw } from './invitations.api.ts'

/** Asks before an invitation is withdrawn. */
export function WithdrawInvitationDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdrawal = useWithdraw()

  async function confirm() {
    await withdrawal.mutateAsync(invitation)
    onClose()
    notify('ok', `The invitation to ${invitation.email} was withdrawn.`)
  }

  return (
    <ConfirmDialog
      title="Withdraw invitation"
      tone="danger"
      confirmLabel="Withdraw"
      failure="The invitation could not be withdrawn."
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        The link that <strong>{invitation.email}</strong> has stops working at once.
      </p>
    </ConfirmDialog>
  )
}
