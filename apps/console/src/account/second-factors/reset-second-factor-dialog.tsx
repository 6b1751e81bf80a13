import type { Member } from '@switchboard/contract/team'
import { useState } from 'react'
import { useRevokeToken } from '#src/tokens/tokens.api.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { useResetSecondFactor } from './second-factors.api.ts'

type Props = { user: Pick<Member, 'id' | 'email' | 'tokens'>; onClose: () => void }

/**
 * Asks to type the email address before another account's second factors are removed. The service tokens of the account
 * keep working, unless they are revoked too.
 */
export function ResetSecondFactorDialog({ user: { id, email, tokens }, onClose }: Props) {
  const reset = useResetSecondFactor()
  const revocation = useRevokeToken()
  const [isRevoking, setIsRevoking] = useState(false)

  async function confirm() {
    if (isRevoking) for (const token of tokens) await revocation.mutateAsync(token)
    await reset.mutateAsync(id)
  }

  return (
    <ConfirmDelete
      title="Reset Second Factor"
      failure="The second factor was not reset."
      success={`The second factor of ${email} was reset.`}
      confirmLabel="Reset"
      mustType={email}
      onDelete={confirm}
      onClose={onClose}
    >
      <p>
        Reset the second factor of <strong>{email}</strong>? All authenticator apps, passkeys and recovery codes are
        removed, and all sessions end. Until a new second factor is added, the password is enough to sign in. Make sure
        that the person asked for this.
      </p>
      {tokens.length > 0 && (
        <CheckField
          label="Revoke tokens"
          help={`Otherwise the service tokens that they made keep working: ${tokens.map(({ name }) => name).join(', ')}.`}
          checked={isRevoking}
          onChange={setIsRevoking}
        />
      )}
    </ConfirmDelete>
  )
}
