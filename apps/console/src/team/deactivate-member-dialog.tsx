import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { EndingAccess } from './ending-access.tsx'

type Props = { member: { id: string; email: string }; onDeactivate: () => void; onClose: () => void }

/** Asks before a member is deactivated. The list reports the result and offers Undo. */
export function DeactivateMemberDialog({ member: { id, email }, onDeactivate, onClose }: Props) {
  return (
    <ConfirmDialog
      title="Deactivate Member"
      tone="warning"
      confirmLabel="Deactivate"
      onConfirm={() => {
        onClose()
        onDeactivate()
      }}
      onClose={onClose}
    >
      <p>
        Deactivate <strong>{email}</strong>? They are signed out at once and cannot sign in until somebody activates
        them again.
      </p>
      <EndingAccess memberId={id} />
    </ConfirmDialog>
  )
}
