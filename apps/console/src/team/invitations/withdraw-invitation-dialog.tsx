import type { Invitation } from '@switchboard/contract/invitations'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { useWithdraw } from './invitations.api.ts'

/** Asks before an invitation is withdrawn. */
export function WithdrawInvitationDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdrawal = useWithdraw()
  return (
    <ConfirmDelete
      title="Withdraw Invitation"
      confirmLabel="Withdraw"
      failure="The invitation could not be withdrawn."
      success={`The invitation to ${invitation.email} was withdrawn.`}
      onDelete={() => withdrawal.mutateAsync(invitation)}
      onDeleted={focusTitle}
      onClose={onClose}
    >
      <p>
        The invitation link of <strong>{invitation.email}</strong> stops working at once.
      </p>
    </ConfirmDelete>
  )
}
