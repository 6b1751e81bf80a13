import type { User } from '@switchboard/contract/users'
import { useState } from 'react'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { SecretDialog } from '#src/ui/dialog/secret-dialog.tsx'
import { generatedPassword } from './generated-password.ts'
import { useSetPassword } from './users.api.ts'

/** Gives a user of a tenant a generated password after a question, then shows the password once. */
export function SetPasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { mutateAsync: set } = useSetPassword()
  const [password, setPassword] = useState<string | null>(null)

  async function confirm() {
    const generated = generatedPassword()
    await set({ user, password: generated })
    setPassword(generated)
  }

  if (password !== null) {
    return (
      <SecretDialog
        title="New Password"
        noun="password"
        secret={password}
        hint="Pass it on in person or through a channel that only the two of you read."
        onDone={onClose}
      >
        <strong>{user.email}</strong> has to choose another password at the next sign-in.
      </SecretDialog>
    )
  }
  return (
    <ConfirmDialog
      title="Set Password"
      tone="warning"
      confirmLabel="Set Password"
      failure="Failed to set the password."
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {user.has_password ? (
          <>
            Replace the password of <strong>{user.email}</strong> with a generated one? The current password stops
            working at once.
          </>
        ) : (
          <>
            Give <strong>{user.email}</strong> a generated password? An invitation ends.
          </>
        )}{' '}
        The new password is shown once, and has to be changed at the next sign-in.
      </p>
    </ConfirmDialog>
  )
}
