import type { Capability } from '@switchboard/contract/auth/capabilities'
import type { Icon } from '@tabler/icons-react'
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import css from './row-actions.module.css'

/** An action on a record. */
export type Action = {
  label: string
  Icon: Icon
  /** The action is shown to the roles with this capability: `useAllowed`. */
  capability: Capability
  danger?: boolean
  /** Key that selects the action while its row has the focus: "E". */
  shortcut?: string
  /** Accessible name; by default the label and the name of the record. */
  accessibleName?: string
  /** Shows the action only in the menu of the row, because the icons of a row have no space for the rarer actions. */
  isInMenuOnly?: boolean
  /** Stable key, so that the button keeps the focus when its label changes. */
  id?: string
  /** Reason of a disabled action. The button stays focusable, so that the reason is readable. */
  refusal?: string | null
  onSelect: () => void
}

type Props = {
  /** Name of the record. */
  label: string
  actions: readonly Action[]
  onIntent?: (() => void) | undefined
}

/**
 * The actions of a record as icon buttons with accessible names and tooltips. Plain buttons: a page has up to 800, and
 * as `ActionIcon`s they take half of the time of a click.
 */
export function RowActions({ label: name, actions, onIntent }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)

  // The clicked action may disappear; keep the focus in the row.
  useLayoutEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    focused.current = null
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus({ preventScroll: true })
  })

  function noteFocus(event: FocusEvent) {
    focused.current = event.target
    onIntent?.()
  }

  function noteBlur({ target }: FocusEvent) {
    if (target.isConnected) focused.current = null
  }

  return (
    <div ref={box} className={css.actions} onPointerEnter={onIntent} onFocus={noteFocus} onBlur={noteBlur}>
      {actions.map(
        ({
          label,
          Icon: ActionGlyph,
          shortcut,
          accessibleName = `${label} ${name}`,
          id = label,
          refusal = null,
          onSelect,
        }) => (
          <button
            key={id}
            type="button"
            className={css.action}
            aria-label={accessibleName}
            aria-keyshortcuts={shortcut}
            data-tooltip={refusal ?? label}
            {...(refusal !== null && { 'aria-disabled': true, 'aria-description': refusal })}
            onClick={refusal === null ? onSelect : undefined}
          >
            <ActionGlyph size={16} stroke={1.75} aria-hidden />
          </button>
        ),
      )}
    </div>
  )
}
