import type { PromptTemplate } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { versionQuery } from '#src/prompts/prompts.api.ts'
import { PublishDialog } from '#src/prompts/publish-dialog.tsx'

type Props = { version: number; live: PromptTemplate; onClose: () => void }

/** Shows what an old version would change and makes it the next one. */
export function RestoreDialog({ version, live, onClose }: Props) {
  const [base, setBase] = useState(live)
  const old = useQuery(versionQuery(version))
  useEffect(() => {
    if (!old.isError) return
    notify('bad', messageOf(old.error, 'The version could not be loaded.'))
    onClose()
  }, [old.isError, old.error, onClose])
  if (!old.data) return null
  return (
    <PublishDialog
      publication={{ kind: 'restore', version }}
      text={old.data.template}
      base={base}
      onRebase={setBase}
      onPublished={onClose}
      onClose={onClose}
    />
  )
}
