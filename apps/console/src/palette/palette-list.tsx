/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no list controlled by a separate text box */
import { IconDots } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { scrollIntoView } from '#src/lib/scroll-into-view.ts'
import { Badge } from '#src/ui/badge/badge.tsx'
import type { Entry, Group } from './entry.ts'
import css from './palette-list.module.css'

type Props = {
  id: string
  label: string
  groups: Group[]
  current: Entry | undefined
  busy: boolean
  onMove: (entry: Entry) => void
  onChoose: (entry: Entry) => void
  onActions: (entry: Entry) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** Id of an entry's element. */
export function optionId(id: string, entry: Entry): string {
  return `${id}-${entry.id}`
}

/** The list box of the palette. The text box keeps the focus. */
export function PaletteList({ id, label, groups, current, busy, onMove, onChoose, onActions, onKeyDown }: Props) {
  return (
    <div id={`${id}-list`} className={css.list} role="listbox" aria-label={label} aria-busy={busy}>
      {groups.map(({ heading, count, entries }) => (
        <div key={heading} role="group" aria-label={heading} className={css.group}>
          <div className={css.heading} aria-hidden>
            {heading}
            <span className={css.count}>{count}</span>
          </div>
          {entries.map((entry) => (
            <div key={entry.id} role="presentation" className={css.row}>
              <div
                id={optionId(id, entry)}
                ref={entry === current ? scrollIntoView : undefined}
                className={`${css.entry} ${entry.danger ? css.danger : ''}`}
                role="option"
                tabIndex={-1}
                aria-selected={entry === current}
                // Keyboard focus stays in the text box.
                onMouseDown={(event) => event.preventDefault()}
                // Ignore events of a resting pointer above a moving list.
                onMouseMove={({ movementX, movementY }) => {
                  if (movementX !== 0 || movementY !== 0) onMove(entry)
                }}
                onClick={() => onChoose(entry)}
                onKeyDown={onKeyDown}
              >
                <entry.Icon size={18} stroke={1.75} className={css.icon} aria-hidden />
                <div className={css.name}>
                  <bdi className={css.label}>{entry.label}</bdi>
                  {entry.badge && <Badge {...entry.badge} dot />}
                </div>
                <bdi className={css.hint}>{entry.hint}</bdi>
              </div>
              {entry.actions && (
                // For pointers. An option cannot contain a button; the keyboard has its own way to the actions.
                <button
                  type="button"
                  tabIndex={-1}
                  className={css.actions}
                  aria-hidden
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onActions(entry)}
                >
                  <IconDots size={18} aria-hidden />
                </button>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
