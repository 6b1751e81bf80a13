import { NativeSelect } from '@mantine/core'
import { type ApiKey, graceSeconds } from '@switchboard/contract/api-keys'
import { useState } from 'react'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { fullText } from '#src/lib/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { longerGraces } from '#src/api-keys/api-key-labels.ts'
import { useExtendGrace } from '#src/api-keys/api-keys.api.ts'

/** Lets a replaced key work longer; only for one of which `whyNotExtended` says nothing. */
export function ExtendGraceDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const extension = useExtendGrace()
  const longer = longerGraces(apiKey)
  const [seconds, setSeconds] = useState(longer[0]?.seconds)
  const chosen = longer.find((choice) => choice.seconds === seconds)

  function extend() {
    if (chosen === undefined) return
    extension.mutate(
      { apiKey, grace_seconds: chosen.seconds },
      {
        onSuccess: () => {
          onClose()
          notify('ok', `The grace of ${apiKey.name} was extended.`)
        },
      },
    )
  }

  return (
    <ConfirmDialog
      title="Extend grace"
      tone="info"
      confirmLabel="Extend"
      busy={extension.isPending}
      error={extension.isError ? messageOf(extension.error, 'Failed to extend the grace.') : null}
      onConfirm={extend}
      onClose={onClose}
    >
      <p>The old key now works until {fullText(apiKey.grace_ends_at ?? apiKey.created_at)}.</p>
      <NativeSelect
        label="Grace period, from the rotation"
        value={String(seconds)}
        data={longer.map((choice) => ({ value: String(choice.seconds), label: choice.label }))}
        onChange={(event) => setSeconds(graceSeconds.parse(Number(event.currentTarget.value)))}
      />
      {chosen && <p>New end: {fullText(new Date(chosen.end).toISOString())}.</p>}
    </ConfirmDialog>
  )
}
