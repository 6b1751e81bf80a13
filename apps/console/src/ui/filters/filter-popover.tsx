import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import css from './filter-button.module.css'
import { FilterMenu } from './filter-menu.tsx'

const GAP_PX = 4
const EDGE_PX = 8

type Props = ComponentProps<typeof FilterMenu> & { anchor: HTMLElement }

/** The menu of the filters below its button. A popover: the browser closes it and returns the focus. */
export function FilterPopover({ anchor, onClose, ...menu }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    current.showPopover()
    const { left, bottom } = anchor.getBoundingClientRect()
    const end = document.documentElement.clientWidth - current.offsetWidth - EDGE_PX
    current.style.top = `${bottom + GAP_PX + window.scrollY}px`
    current.style.left = `${Math.max(EDGE_PX, Math.min(left, end))}px`
    // The menu focuses its field on mount, before it is shown.
    current.querySelector('input')?.focus({ preventScroll: true })
  }, [anchor])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- follows the focus of the fields inside
    <dialog
      ref={box}
      aria-label="Filter"
      popover="auto"
      className={css.popover}
      // The rows that Tab reaches next would be under the menu.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover()
      }}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <FilterMenu {...menu} onClose={() => box.current?.hidePopover()} />
    </dialog>
  )
}
