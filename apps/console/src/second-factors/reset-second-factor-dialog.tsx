import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { useResetSecondFactor } from './second-factors.api.ts'

type Props = { user: { id: string; email: string }; onClose: () => void }

/** Asks, with the email address typed, before the second factors of another account are removed. */
export function ResetSecondFactorDialog({ user: { id, email }, onClose }: Props) {
  const reset = useResetSecondFactor()
  return (
    <ConfirmDelete
      title="Reset second factor"
      failure="The second factor was not reset."
      success={`The second factor of ${email} was reset.`}
      confirmLabel="Reset"
      mustType={email}
      onDelete={() => reset.mutateAsync(id)}
      onClose={onClose}
    >
      <p>
        Reset the second factor of <strong>{email}</strong>? All authenticator apps, passkeys and recovery codes are
        removed, and all sessions end. Until a new second factor is added, the password alone signs in. Make sure that
        the person asked for this.
      </p>
    </ConfirmDelete>
  )
}
