import { TextInput } from '@mantine/core'
import { NOTE_MAX, type PromptTemplate, stalePrompt } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { notify } from '#src/lib/notify.ts'
import type { ComparisonView } from '#src/ui/comparison/comparison.tsx'
import { ConflictNotice } from '#src/ui/form/conflict-notice.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import type { BaseVersion, VersionContent } from './draft.ts'
import { aboutText } from './prompt-labels.ts'
import { type Publication, reachQuery, usePublish } from './prompts.api.ts'
import css from './publish-dialog.module.css'
import { VersionComparison } from './versions/version-comparison.tsx'
import { ViewSwitch } from '#src/ui/comparison/view-switch.tsx'

type Props = {
  publication: Publication
  content: VersionContent
  /** The version that was live when editing began. */
  base: BaseVersion
  tenantId: string | undefined
  warnings?: string[]
  /** Called when the admin keeps the text after a conflict. The next save overwrites the version `live`. */
  onRebase?: (live: PromptTemplate) => void
  /** Drops the text after a conflict. Absent for a restore, which has no typed text. */
  onTakeTheirs?: () => void
  onPublished: () => void
  onClose: () => void
}

const VERBS = { save: 'Save', restore: 'Restore' }

/** Shows the changes of a new version and its reach, and publishes the version. */
export function PublishDialog({ publication, content, base: opened, tenantId, warnings, ...on }: Props) {
  const publish = usePublish(tenantId)
  const reach = useQuery({ ...reachQuery, enabled: tenantId === undefined })
  const [view, setView] = useState<ComparisonView>('inline')
  const isRemoval = content.template === ''
  const form = useFormFrame({
    initialValues: { note: '' },
    record: opened,
    about: aboutText(tenantId),
    stale: stalePrompt,
    send: ({ note }, latest) => publish.mutateAsync({ publication, content, base: (latest ?? opened).version, note }),
    onSaved: ({ version }) => {
      notify('ok', isRemoval ? 'The addendum was removed.' : `Version ${version} is live.`)
      on.onPublished()
    },
    failure: 'The template could not be saved.',
  })
  const base = form.latest ?? opened
  const current = form.conflict?.current

  return (
    <DialogForm
      title={titleOf(publication, tenantId !== undefined, isRemoval)}
      size="xl"
      form={form}
      submit={isRemoval ? 'Remove Addendum' : `${VERBS[publication.kind]} as Version ${base.version + 1}`}
      submitting="Processing..."
      onClose={on.onClose}
    >
      {current ? (
        <ConflictNotice
          change={`saved version ${current.version}`}
          by={current.author_email}
          at={current.created_at}
          onReload={on.onTakeTheirs}
          onKeepMine={() => {
            on.onRebase?.(current)
            form.rebase()
          }}
        >
          <h3>Changes since version {base.version}</h3>
          <VersionComparison
            label={`Changes since version ${base.version}`}
            before={base}
            after={current}
            view={view}
            heading="h3"
          />
        </ConflictNotice>
      ) : (
        <>
          {warnings?.map((warning) => (
            <Notice key={warning} tone="warn">
              {warning}
            </Notice>
          ))}
          <div className={css.head}>
            <p>
              {effectOf(isRemoval, base.version)}{' '}
              {reach.data && <strong>Used by {counted(reach.data.active_tenants, 'active tenant')}.</strong>}
            </p>
            <ViewSwitch view={view} onChange={setView} />
          </div>
          <VersionComparison label="Changes in this version" before={base} after={content} view={view} heading="h3" />
          <TextInput
            label="Note"
            description="Optional. Why you changed it; shown in the history."
            maxLength={NOTE_MAX}
            data-autofocus
            {...form.getInputProps('note')}
          />
        </>
      )}
    </DialogForm>
  )
}

function titleOf(publication: Publication, isAddendum: boolean, isRemoval: boolean): string {
  if (publication.kind === 'restore') return `Restore Version ${publication.version}`
  if (!isAddendum) return 'Save Template'
  return isRemoval ? 'Remove Addendum' : 'Save Addendum'
}

function effectOf(isRemoval: boolean, version: number): string {
  if (isRemoval) return 'The assistants get the base template alone, at once. The history keeps the text.'
  return version === 0
    ? 'The assistants get this text after the base template, at once.'
    : `Version ${version + 1} replaces version ${version} at once.`
}
