import { Button } from '@mantine/core'
import type { PromptTemplate, StalePrompt } from '@switchboard/contract/prompts'
import { Notice } from '#src/ui/page/notice.tsx'
import { relativeText } from '#src/lib/moment.ts'
import { Comparison, type ComparisonView } from '#src/prompt-versions/comparison.tsx'
import css from './publish-dialog.module.css'

type Props = {
  stale: StalePrompt
  base: PromptTemplate
  view: ComparisonView
  onKeepMine: () => void
  /** Missing where there is no text of one's own to give up. */
  onTakeTheirs?: () => void
}

/** Somebody else saved first: who, when and what, and which text shall hold (design §6, Concurrency). */
export function StalePromptNotice({ stale: { current }, base, view, onKeepMine, onTakeTheirs }: Props) {
  const who = current.author_email ?? 'Another admin'
  return (
    <div className={css.stale}>
      <Notice tone="warn">
        {who} saved version {current.version} {relativeText(current.created_at)}. Yours is not saved yet.
      </Notice>
      <h3>What they changed since version {base.version}</h3>
      <Comparison label="What they changed" before={base.template} after={current.template} view={view} />
      <div className={css.actions}>
        <Button variant="default" onClick={onKeepMine}>
          {onTakeTheirs ? 'Keep mine' : 'Go on'}
        </Button>
        {onTakeTheirs && (
          <Button variant="default" onClick={onTakeTheirs}>
            Take theirs
          </Button>
        )}
      </div>
    </div>
  )
}
