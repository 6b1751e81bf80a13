import { Button } from '@mantine/core'
import type { PromptTemplate } from '@switchboard/contract/prompts'
import { type ReactNode, Suspense, useState } from 'react'
import { Badge } from '#src/ui/page/badge.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useUnsavedGuard } from '#src/ui/form/use-unsaved-guard.tsx'
import cardCss from '#src/ui/page/card.module.css'
import { type Draft, isChanged, storeDraft, storedDraft, textInBox, textToSave } from './draft.ts'
import { PreviewValues } from './preview-values.tsx'
import { previewBody, PREVIEW_DEFAULTS, type PreviewInput } from './prompts.api.ts'
import css from './prompt-card.module.css'
import { TemplateBox } from './template-box.tsx'
import { useTemplateCheck } from './use-template-check.ts'

const PreviewDialog = lazyPart(() => import('./preview-dialog.tsx').then((code) => code.PreviewDialog))
const PublishDialog = lazyPart(() => import('./publish-dialog.tsx').then((code) => code.PublishDialog))
const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** The live template, or a draft of its next version. This tab keeps the draft, also over a reload. */
export function PromptCard({ live, userId }: { live: PromptTemplate; userId: string }) {
  const [draft, setDraft] = useState(() => storedDraft(userId))
  const [isRestored, setIsRestored] = useState(draft !== null)
  const [input, setInput] = useState<PreviewInput>(PREVIEW_DEFAULTS)
  const [open, setOpen] = useState<'none' | 'preview' | 'publish' | 'discard'>('none')
  const check = useTemplateCheck(draft)
  const close = () => setOpen('none')
  const isDirty = draft !== null && isChanged(draft)
  const guard = useUnsavedGuard(() => isDirty, {
    text: 'Your changes are not saved. This tab keeps the draft until you come back.',
  })

  function change(next: Draft | null) {
    setDraft(next)
    setIsRestored(false)
    storeDraft(userId, next !== null && isChanged(next) ? next : null)
  }

  function stop() {
    change(null)
    close()
  }

  return (
    <section className={`${cardCss.card} ${css.card}`} aria-label="Base template">
      <TemplateHead live={live}>
        {draft === null ? (
          <>
            <Button variant="default" onClick={() => setOpen('preview')}>
              Preview
            </Button>
            <Button onClick={() => change({ base: live, text: textInBox(live.template) })}>Edit</Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={() => (isDirty ? setOpen('discard') : stop())}>
              Cancel
            </Button>
            <Button disabled={!isDirty || check.error !== null} onClick={() => setOpen('publish')}>
              Save
            </Button>
          </>
        )}
      </TemplateHead>
      {isRestored && (
        <Notice tone="info">Your unsaved draft was restored. Save it, or cancel to return to the live version.</Notice>
      )}
      <TemplateBox
        text={draft?.text ?? textInBox(live.template)}
        check={check}
        {...(draft && { onChange: (text: string) => change({ ...draft, text }) })}
      />
      <PreviewValues input={input} onChange={setInput}>
        {draft !== null && (
          <Button variant="default" onClick={() => setOpen('preview')}>
            Preview draft
          </Button>
        )}
      </PreviewValues>
      {guard.question}
      <Suspense>
        {open === 'preview' && (
          <PreviewDialog
            body={previewBody(draft ? textToSave(draft) : live.template, input)}
            tenantName={input.tenant?.name ?? null}
            onClose={close}
          />
        )}
        {open === 'publish' && draft && (
          <PublishDialog
            publication={{ kind: 'save', text: textToSave(draft) }}
            text={textToSave(draft)}
            base={draft.base}
            warnings={check.warnings}
            onRebase={(theirs) => change({ ...draft, base: theirs })}
            onTakeTheirs={stop}
            onPublished={stop}
            onClose={close}
          />
        )}
        {open === 'discard' && (
          <ConfirmDialog title="Discard changes" tone="danger" confirmLabel="Discard" onConfirm={stop} onClose={close}>
            <p>Your unsaved changes will be lost.</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  )
}

/** Template name, live version with its author, and actions. */
function TemplateHead({ live, children }: { live: PromptTemplate; children: ReactNode }) {
  return (
    <div className={css.head}>
      <div>
        <h2 className={css.title}>
          {live.prompt_type} <Badge tone="accent" text={`Version ${live.version}`} />
        </h2>
        <p className={css.about}>
          {live.author_email === null ? 'Default template' : `Saved by ${live.author_email}`}{' '}
          <RelativeTime moment={live.created_at} />
        </p>
      </div>
      <div className={css.actions}>{children}</div>
    </div>
  )
}
