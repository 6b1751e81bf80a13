import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { useSession } from '#src/lib/session.ts'
import { RelativeTime } from '#src/ui/time/relative-time.tsx'
import { ValuesTable } from '#src/ui/comparison/values-table.tsx'
import css from './conflict-notice.module.css'
import type { Difference } from './differences.ts'

type Props = {
  /** "changed this tenant" */
  change: string
  /** The person who made the change and its time, if the server says so. */
  by?: string | null | undefined
  at?: string | null | undefined
  consequence?: string
  differences?: readonly Difference[]
  onReload?: (() => void) | undefined
  onKeepMine?: () => void
  /** A comparison for values that are too long for the table. */
  children?: ReactNode
}

/**
 * Shown when someone else, or the same admin in another tab, saved the record first: the change, the values side by
 * side, and the choice between the two versions.
 */
export function ConflictNotice({ change, by, at, differences, onReload, onKeepMine, children, ...props }: Props) {
  const { consequence = 'Your changes are not saved yet.' } = props
  const session = useSession()
  const isOwn = session.kind === 'authenticated' && by === session.admin.email
  return (
    <div ref={focusNotice} tabIndex={-1} className={css.notice}>
      <p className={css.title} role="alert">
        <IconAlertTriangle size={18} aria-hidden />
        <span>
          {isOwn ? 'You, in another tab or on another device,' : (by ?? 'Another admin')} {change}
          {at && (
            <>
              {' '}
              <RelativeTime moment={at} />
            </>
          )}
          . {consequence}
        </span>
      </p>
      {differences && differences.length > 0 && (
        <ValuesTable
          label="Differences"
          heads={isOwn ? ['Saved', 'Here'] : ['Theirs', 'Yours']}
          rows={differences.map(({ label, theirs, mine }) => ({ label, values: [valueOf(theirs), valueOf(mine)] }))}
        />
      )}
      {children && <div className={css.details}>{children}</div>}
      <div className="buttons">
        {onReload && (
          <Button variant="default" size="compact-md" onClick={onReload}>
            Reload
          </Button>
        )}
        {onKeepMine && (
          <Button variant="default" size="compact-md" onClick={onKeepMine}>
            Keep Mine
          </Button>
        )}
      </div>
    </div>
  )
}

/** The button that sent the form is disabled during a conflict and has lost the focus. */
function focusNotice(element: HTMLElement | null) {
  scrollIntoView(element)
  element?.focus({ preventScroll: true })
}

function valueOf(text: string) {
  return text === '' ? <span className="ink-2">(empty)</span> : <div className={css.cut}>{text}</div>
}
