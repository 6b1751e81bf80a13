import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import type { Action } from '#src/ui/table/action.ts'
import css from './action-menu.module.css'

const GAP_PX = 4
const EDGE_PX = 8

type Props = {
  label: string
  actions: readonly Action[]
  /** The button or the row that the menu belongs to. */
  anchor: HTMLElement
  onClose: () => void
}

/** The actions of a row in a menu beside its button (WAI-ARIA menu button pattern). A popover: the browser closes it. */
export function ActionMenu({ label, actions, anchor, onClose }: Props) {
  const menu = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (menu.current) open(menu.current, anchor)
  }, [anchor])
  useEffect(() => {
    const before = anchor.getBoundingClientRect()
    // The event of a scroll that ended before the menu opened arrives after it, and does not move the button.
    function closeIfMoved() {
      const { top, left } = anchor.getBoundingClientRect()
      if (top !== before.top || left !== before.left) onClose()
    }
    window.addEventListener('scroll', closeIfMoved, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', closeIfMoved, { capture: true })
  }, [anchor, onClose])

  function move(event: KeyboardEvent) {
    const items = [...(menu.current?.querySelectorAll('button') ?? [])]
    const at = items.findIndex((item) => item === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') onClose()
    if (to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }

  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      popover="auto"
      aria-label={`Actions for ${label}`}
      className={css.menu}
      onToggle={(event) => event.newState === 'closed' && onClose()}
      onKeyDown={move}
    >
      {actions.map(({ label: verb, id = verb, Icon, danger, shortcut, refusal = null, onSelect }) => (
        <button
          key={id}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={`${css.item} ${danger ? css.danger : ''}`}
          {...(refusal !== null && { 'aria-disabled': true, 'aria-description': refusal, 'data-tooltip': refusal })}
          onClick={() => {
            if (refusal !== null) return
            // The focus is back on the button or row before a dialog remembers it.
            menu.current?.hidePopover()
            onClose()
            onSelect()
          }}
        >
          <Icon size={16} stroke={1.75} aria-hidden />
          {verb}
          {shortcut && <kbd aria-hidden>{shortcut}</kbd>}
        </button>
      ))}
    </div>
  )
}

/** Below the button, or above it where the window ends. */
function open(menu: HTMLElement, anchor: HTMLElement): void {
  menu.showPopover()
  const button = anchor.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = menu
  const isBelow = button.bottom + GAP_PX + offsetHeight <= window.innerHeight - EDGE_PX
  menu.style.top = `${isBelow ? button.bottom + GAP_PX : Math.max(EDGE_PX, button.top - GAP_PX - offsetHeight)}px`
  menu.style.left = `${Math.max(EDGE_PX, button.right - offsetWidth)}px`
  menu.querySelector('button')?.focus({ preventScroll: true })
}
