import type { SecondFactor } from '@switchboard/contract/second-factors'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { useDeleteSecondFactor } from './second-factors.api.ts'

type Props = { factor: SecondFactor; isLast: boolean; onDeleted: () => void; onClose: () => void }

/** Asks before an admin removes one of their own second factors. */
export function RemoveSecondFactorDialog({ factor, isLast, ...on }: Props) {
  const deletion = useDeleteSecondFactor()
  return (
    <ConfirmDelete
      title="Remove Second Factor"
      failure="The second factor was not removed."
      success={`${factor.name} was removed.`}
      confirmLabel="Remove"
      onDelete={() => deletion.mutateAsync(factor.id)}
      {...on}
    >
      <p>
        Remove <strong dir="auto">{factor.name}</strong>? You can no longer sign in with it.
        {isLast &&
          ' It is your last second factor: your password alone signs you in then, and your recovery codes end.'}
      </p>
    </ConfirmDelete>
  )
}
