import type { PromptTemplate } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { failureText } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { versionQuery } from '#src/prompts/prompts.api.ts'
import { PublishDialog } from '#src/prompts/publish-dialog.tsx'

type Props = { version: number; live: PromptTemplate; tenantId: string | undefined; onClose: () => void }

/** Shows the changes of an old version against the live version, and publishes the old version again. */
export function RestoreDialog({ version, live, tenantId, onClose }: Props) {
  const old = useQuery(versionQuery(version, tenantId))
  useEffect(() => {
    if (!old.isError) return
    notify('bad', failureText(old.error, `Version ${version} could not be loaded.`))
    onClose()
  }, [old.isError, old.error, version, onClose])
  if (!old.data) return null
  return (
    <PublishDialog
      publication={{ kind: 'restore', version }}
      content={old.data}
      base={live}
      tenantId={tenantId}
      onPublished={onClose}
      onClose={onClose}
    />
  )
}
