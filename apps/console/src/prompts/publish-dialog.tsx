import { Button, TextInput } from '@mantine/core'
import { NOTE_MAX, type PromptTemplate, type StalePrompt, stalePrompt } from '@switchboard/contract/prompts'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import { counted } from '#src/lib/count.ts'
import { notify } from '#src/lib/notify.ts'
import { Comparison, type ComparisonView } from '#src/prompt-versions/comparison.tsx'
import { type Publication, reachQuery, usePublish } from './prompts.api.ts'
import css from './publish-dialog.module.css'
import { StalePromptNotice } from './stale-prompt-notice.tsx'
import { ViewSwitch } from './view-switch.tsx'

const FAILED = 'The template could not be saved.'

type Props = {
  publication: Publication
  /** The text that becomes live. */
  text: string
  /** What is live as far as this page knows, and what the text was made from. */
  base: PromptTemplate
  /** What is doubtful in the text. */
  warnings?: string[]
  /** The text is to be saved over what somebody else saved meanwhile. */
  onRebase?: (live: PromptTemplate) => void
  /** The text is given up for what somebody else saved meanwhile. */
  onTakeTheirs?: (live: PromptTemplate) => void
  onPublished: () => void
  onClose: () => void
}

/** Shows what a new version changes and whom it reaches, and makes it live. */
export function PublishDialog({ publication, text, base, warnings, ...on }: Props) {
  const formId = useId()
  const publish = usePublish()
  const reach = useQuery(reachQuery)
  const [note, setNote] = useState('')
  const [view, setView] = useState<ComparisonView>('inline')
  const busy = publish.isPending
  const stale = staleOf(publish.error)
  const verb = publication.kind === 'save' ? 'Save' : 'Restore'

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (busy || stale) return
    publish.mutate(
      { publication, base: base.version, note },
      {
        onSuccess: ({ version }) => {
          notify('ok', `Version ${version} is live.`)
          on.onPublished()
        },
      },
    )
  }

  function keepMine(live: PromptTemplate) {
    on.onRebase?.(live)
    publish.reset()
  }

  return (
    <Dialog
      title={publication.kind === 'save' ? 'Save Template' : `Restore Version ${publication.version}`}
      size="xl"
      busy={busy}
      onClose={on.onClose}
    >
      <DialogMain>
        <form id={formId} className={css.content} onSubmit={submit}>
          {stale ? (
            <StalePromptNotice
              stale={stale}
              base={base}
              view={view}
              onKeepMine={() => keepMine(stale.current)}
              {...(on.onTakeTheirs && { onTakeTheirs: () => on.onTakeTheirs?.(stale.current) })}
            />
          ) : (
            <>
              {publish.isError && <Notice tone="bad">{messageOf(publish.error, FAILED)}</Notice>}
              {warnings?.map((warning) => (
                <Notice key={warning} tone="warn">
                  {warning}
                </Notice>
              ))}
              <div className={css.head}>
                <p>
                  Version {base.version + 1} replaces version {base.version} at once.{' '}
                  {reach.data && <strong>Used by {counted(reach.data.active_tenants, 'active tenant')}.</strong>}
                </p>
                <ViewSwitch view={view} onChange={setView} />
              </div>
              <Comparison label="What this version changes" before={base.template} after={text} view={view} />
              <TextInput
                label="Note"
                description="Optional. Why you changed it; shown in the history."
                inputWrapperOrder={['label', 'input', 'description']}
                value={note}
                maxLength={NOTE_MAX}
                disabled={busy}
                data-autofocus
                onChange={(event) => setNote(event.currentTarget.value)}
              />
            </>
          )}
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={busy} onClick={on.onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} disabled={busy || stale !== null}>
          {busy ? 'Processing...' : `${verb} as version ${base.version + 1}`}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function staleOf(error: Error | null): StalePrompt | null {
  if (!(error instanceof CallError) || error.status !== 412) return null
  return stalePrompt.safeParse(error.body).data ?? null
}
