import { useEffect, useLayoutEffect, useRef } from 'react'

/** Id of the section with the next steps. */
export const NEXT_STEPS_ID = 'next-steps'

/** The focused element before the last dialog. A dialog that replaces another dialog at once finds no focused element. */
let lastFocused: Element | null = null

/**
 * Returns the focus, when the component unmounts, to the element that had it before; otherwise to the row that takes the
 * place of the element's row, or to the start of the page.
 */
export function useFocusReturn(): void {
  const before = useRef<Element | null>(null)
  // A layout effect runs before the portal renders and takes the focus.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) lastFocused = document.activeElement
    before.current ??= lastFocused
  }, [])
  // A hidden component runs its layout effects again; only an effect's cleanup means the unmount.
  useEffect(() => {
    const target = before.current
    return () => {
      // The browser drops the focus of the removed dialog after the cleanup.
      setTimeout(() => {
        // Another dialog may have opened, or another element may have taken the focus.
        if (document.activeElement !== document.body || document.querySelector('[aria-modal="true"]')) return
        const isStart = target?.matches('main h1')
        if (target instanceof HTMLElement && target.isConnected && !isStart) target.focus({ preventScroll: true })
        // The row of a table that has taken the place of the target's row.
        else if (!target?.closest('tr') || !focusRow()) focusStart()
      })
    }
  }, [])
}

/**
 * As a `ref`: focuses the element on mount, or after the text composition (IME, dead keys) of an early input. A dialog's
 * own focus comes by a timer, too late for fast typing.
 */
export function focusOnMount(element: HTMLElement | null): void {
  const focus = () => element?.focus({ preventScroll: true })
  const early = document.querySelector('input[data-composing]')
  if (early === null) focus()
  // A new focus would end the composition with half of the letter.
  else early.addEventListener('compositionend', () => setTimeout(focus), { once: true })
}

/** As a `ref`: focuses the field with `data-autofocus`, otherwise the first field. A dialog focuses the same field. */
export function focusFirstField(form: HTMLElement | null): void {
  const fields = ':is(input, select, textarea):enabled:not([type="radio"]:not(:checked))'
  const field = form?.querySelector<HTMLElement>('[data-autofocus]') ?? form?.querySelector<HTMLElement>(fields)
  if (!field) return
  field.dataset['autofocus'] = 'true'
  focusOnMount(field)
}

/** Focuses the dialog, section or page around an element, before the element is disabled or removed. */
export function focusContainer(element: Element): void {
  element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
}

/** Focuses the page's title, for a focused element that is about to be removed. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

/** Focuses the next steps after an action, otherwise the page's title: the actions of the page come between them. */
export function focusStart(): void {
  const next = document.getElementById(NEXT_STEPS_ID)
  if (next === null) focusTitle()
  else next.focus({ preventScroll: true })
}

/** Focuses the current row of the page's table. False without a table. */
export function focusRow(): boolean {
  const row = document.querySelector<HTMLElement>('main tbody tr[tabindex="0"]')
  row?.focus()
  return row !== null
}
