import { NativeSelect } from '@mantine/core'
import { type ApiKey, graceSeconds } from '@switchboard/contract/api-keys'
import { useState } from 'react'
import { ConfirmDialog } from '#src/components/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { fullText } from '#src/lib/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { GRACE_OPTIONS } from './api-key-words.ts'
import { useExtendGrace } from './api-keys.api.ts'

/** Lets a replaced key work longer, up to seven days from the rotation. */
export function ExtendGraceDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const extension = useExtendGrace()
  const rotatedAt = Date.parse(apiKey.rotated_at ?? apiKey.created_at)
  const longer = GRACE_OPTIONS.filter(
    ({ seconds }) => rotatedAt + seconds * 1_000 > Date.parse(apiKey.grace_ends_at ?? ''),
  )
  const [chosen, setChosen] = useState(longer[0]?.seconds ?? 604_800)

  function extend() {
    extension.mutate(
      { apiKey, grace_seconds: chosen },
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
        label="Counted from the rotation"
        value={String(chosen)}
        data={longer.map(({ seconds, label }) => ({ value: String(seconds), label }))}
        onChange={(event) => setChosen(graceSeconds.parse(Number(event.currentTarget.value)))}
      />
    </ConfirmDialog>
  )
}
