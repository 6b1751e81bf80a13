import { Button } from '@mantine/core'
import type { PromptTemplate } from '@switchboard/contract/prompts'
import { type ReactNode, Suspense, useState } from 'react'
import { Badge } from '#src/ui/badge/badge.tsx'
import { Notice } from '#src/ui/notice/notice.tsx'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { useCan } from '#src/lib/can.ts'
import { type ChangeByOthers, useChangeByOthers } from '#src/lib/changes-by-others.ts'
import { isOwnVersion } from '#src/lib/own-requests.ts'
import { useSession } from '#src/lib/session.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { ChangedNote } from '#src/ui/form/changed-note.tsx'
import { useUnsavedGuard } from '#src/ui/form/use-unsaved-guard.tsx'
import cardCss from '#src/ui/card/card.module.css'
import { contentOf, draftOf, isChanged, textInBox, variableProblems } from './draft.ts'
import { DeclaredVariablesList } from './declared-variables-list.tsx'
import css from './prompt-card.module.css'
import { aboutText } from './prompt-labels.ts'
import { TemplateBox } from './template-box.tsx'
import type { DraftState } from './use-draft.ts'
import { useTemplateCheck } from './use-template-check.ts'

const PublishDialog = lazyPart(() => import('./publish-dialog.tsx').then((code) => code.PublishDialog))
const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

type Props = {
  title: string
  /** Undefined before the first version. */
  live: PromptTemplate | undefined
  editing: DraftState
  tenantId?: string
  /** Further actions while the text is not edited. */
  actions?: ReactNode
  /** Shown instead of the text before the first version. */
  empty?: ReactNode
  children?: ReactNode
}

/** The live version of a text, or a draft of its next version: the base template, or the addendum of a tenant. */
export function PromptCard({ title, live, editing, tenantId, actions, empty, children }: Props) {
  const { draft, isRestored, change } = editing
  const canPublish = useCan('publish')
  const [open, setOpen] = useState<'none' | 'publish' | 'remove' | 'discard'>('none')
  const check = useTemplateCheck(draft, tenantId)
  const close = () => setOpen('none')
  const isDirty = draft !== null && isChanged(draft)
  const text = live?.template ?? ''
  const base = draft?.base ?? live ?? NO_VERSION
  const areVariablesWrong = draft !== null && variableProblems(draft.variables).some((problem) => problem !== null)
  const about = aboutText(tenantId)
  const newer = useNewerVersion(about.id, base.version, live)
  const changedByOthers = useChangeByOthers(about.id, base.version) ?? newer
  const guard = useUnsavedGuard(() => isDirty, {
    text: 'Your changes are not saved. This tab keeps the draft until you come back.',
  })

  function stop() {
    change(null)
    close()
  }

  return (
    <section
      className={`${cardCss.card} ${css.card}`}
      aria-label={tenantId === undefined ? 'Base template' : 'Addendum'}
    >
      <TextHead title={title} live={live} isDraft={draft !== null}>
        {draft === null ? (
          <div className="buttons">
            {actions}
            {canPublish && tenantId !== undefined && text !== '' && (
              <Button variant="default" onClick={() => setOpen('remove')}>
                Remove
              </Button>
            )}
            {canPublish && <Button onClick={() => change(draftOf(base))}>{text === '' ? 'Write' : 'Edit'}</Button>}
          </div>
        ) : (
          <div className={`buttons ${css.editing}`}>
            <ChangedNote form={{ about, changedByOthers }} />
            <div className="buttons">
              <Button variant="default" onClick={() => (isDirty ? setOpen('discard') : stop())}>
                Cancel
              </Button>
              {canPublish && (
                <Button
                  disabled={!isDirty || check.error !== null || areVariablesWrong}
                  onClick={() => setOpen('publish')}
                >
                  Save
                </Button>
              )}
            </div>
          </div>
        )}
      </TextHead>
      {isRestored && (
        <Notice tone="info">Your unsaved draft was restored. Save it, or cancel to return to the live version.</Notice>
      )}
      {draft === null && text === '' ? (
        empty
      ) : (
        <div className={tenantId === undefined ? css.parts : undefined}>
          <TemplateBox
            text={draft?.text ?? textInBox(text)}
            isAddendum={tenantId !== undefined}
            check={check}
            {...(draft && { onChange: (next: string) => change({ ...draft, text: next }) })}
          />
          {tenantId === undefined && (
            <DeclaredVariablesList
              declared={base.declared_variables}
              {...(draft && { draft, onChange: (variables) => change({ ...draft, variables }) })}
            />
          )}
        </div>
      )}
      {children}
      {guard.question}
      <Suspense>
        {open === 'publish' && draft && (
          <PublishDialog
            publication={{ kind: 'save' }}
            content={contentOf(draft)}
            base={draft.base}
            tenantId={tenantId}
            warnings={check.warnings}
            onRebase={(theirs) => change({ ...draft, base: theirs })}
            onTakeTheirs={stop}
            onPublished={stop}
            onClose={close}
          />
        )}
        {open === 'remove' && (
          <PublishDialog
            publication={{ kind: 'save' }}
            content={NO_VERSION}
            base={base}
            tenantId={tenantId}
            onTakeTheirs={close}
            onPublished={close}
            onClose={close}
          />
        )}
        {open === 'discard' && (
          <ConfirmDialog title="Discard Changes" tone="danger" confirmLabel="Discard" onConfirm={stop} onClose={close}>
            <p>Your unsaved changes will be lost.</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  )
}

/** The live version, if others saved it after the one that a draft begins with, for a draft from before a reload. */
function useNewerVersion(id: string, begun: number, live: PromptTemplate | undefined): ChangeByOthers | undefined {
  const session = useSession()
  if (live === undefined || live.version <= begun || isOwnVersion(live.id, live.version)) return undefined
  const { version, author_email: by, created_at: at } = live
  return { id, version, by, isOwnAccount: session.kind === 'authenticated' && session.admin.email === by, at }
}

/** What an addendum is before its first version, and after its removal. */
const NO_VERSION = { version: 0, template: '', declared_variables: {} }

type TextHeadProps = Pick<Props, 'title' | 'live'> & { isDraft: boolean; children: ReactNode }

/** Name of the text, live version with its author, and actions. */
function TextHead({ title, live, isDraft, children }: TextHeadProps) {
  return (
    <div className={css.head}>
      <div>
        <h2 className={css.title}>
          {title} {live && <Badge tone="accent" text={`Version ${live.version}`} />}
        </h2>
        {/* Always a line above a draft, which the first version of another admin then does not move. */}
        <p className="second-line">
          {live === undefined ? (
            isDraft && 'No version yet'
          ) : live.author_email === null ? (
            'The default template, not edited yet'
          ) : (
            <>
              {live.template === '' ? 'Removed' : 'Saved'} <RelativeTime moment={live.created_at} /> by{' '}
              {live.author_email}
            </>
          )}
        </p>
      </div>
      {children}
    </div>
  )
}
