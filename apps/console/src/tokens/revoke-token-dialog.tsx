import type { ServiceToken } from '@switchboard/contract/tokens'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { startText } from './token-labels.ts'
import { useRevokeToken } from './tokens.api.ts'

type Props = { token: ServiceToken; onClose: () => void }

/** Asks before a service token is revoked. */
export function RevokeTokenDialog({ token, onClose }: Props) {
  const revocation = useRevokeToken()
  return (
    <ConfirmDelete
      title="Revoke Service Token"
      confirmLabel="Revoke"
      failure="Failed to revoke service token."
      success={`${token.name} was revoked.`}
      onDelete={() => revocation.mutateAsync(token)}
      onClose={onClose}
    >
      <p>
        Revoke <strong dir="auto">{token.name}</strong> (<code>{startText(token)}</code>)? Every call with this token is
        refused at once. This cannot be undone.
      </p>
    </ConfirmDelete>
  )
}
