import { useEffect, useLayoutEffect, useRef } from 'react'

/** Where the focus was before the last dialog: a dialog that replaces another one at once finds it nowhere. */
let lastPlace: Element | null = null

/** Gives the focus back to where it was when the component came; to the page's title if that place is gone. */
export function useFocusReturn(): void {
  const before = useRef<Element | null>(null)
  // Before what comes with the component takes the focus: a portal renders after this.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) lastPlace = document.activeElement
    before.current ??= lastPlace
  }, [])
  // When it has gone, not when it is only hidden until another one comes.
  useEffect(() => {
    const place = before.current
    return () => {
      // Later, because the browser drops the focus of the removed dialog only after this.
      setTimeout(() => {
        // Meanwhile another dialog has come, or something else has taken it.
        if (document.activeElement !== document.body || document.querySelector('[aria-modal="true"]')) return
        if (place instanceof HTMLElement && place.isConnected) place.focus({ preventScroll: true })
        else focusTitle()
      })
    }
  }, [])
}

/** As a `ref`: what is typed next goes here, however busy the browser is. A dialog's own focus comes by a timer. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}

/** Puts the focus on what an element stands in, a dialog, a section or the page, before the element is disabled or goes. */
export function focusAround(element: Element): void {
  element.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
}

/** Puts the focus where the page begins, when what had it goes. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}
