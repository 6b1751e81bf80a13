import type { ApiKey } from '@switchboard/contract/api-keys'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { relativeText } from '#src/lib/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { useEndGrace } from '#src/api-keys/api-keys.api.ts'

/** Asks before a replaced key stops working earlier than planned. */
export function EndGraceDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const ending = useEndGrace()

  function end() {
    ending.mutate(apiKey, {
      onSuccess: () => {
        onClose()
        notify('ok', `The old key of ${apiKey.name} is revoked.`)
      },
    })
  }

  return (
    <ConfirmDialog
      title="Revoke old key now"
      tone="warning"
      confirmLabel="End grace"
      busy={ending.isPending}
      error={ending.isError ? messageOf(ending.error, 'Failed to end the grace.') : null}
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        The old key of <strong dir="auto">{apiKey.name}</strong> was last used{' '}
        {apiKey.last_used_at === null ? 'never' : relativeText(apiKey.last_used_at)}. It will be refused from now on.
      </p>
    </ConfirmDialog>
  )
}
