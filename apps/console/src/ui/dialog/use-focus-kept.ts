import { useEffect } from 'react'

/** The dialog that has the focus itself, as long as what should have it is disabled. */
let stopgap: Element | null = null

/** Keeps the focus in the topmost dialog: when what had it is disabled or goes, the focus would fall behind the dialog. */
export function useFocusKept(): void {
  useEffect(() => {
    const observer = new MutationObserver(keepFocus)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    // Later, because only then it is known where the focus went: on the backdrop, nowhere.
    const keepSoon = () => void setTimeout(keepFocus)
    document.addEventListener('focusout', keepSoon)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusout', keepSoon)
    }
  }, [])
}

function keepFocus(): void {
  const { activeElement } = document
  // A disabled element is let go only with the next frame.
  const isLost =
    activeElement === null ||
    activeElement === document.body ||
    activeElement === stopgap ||
    activeElement.matches(':disabled')
  const dialog = [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1)
  if (!isLost || dialog === undefined) return
  const target = dialog.querySelector<HTMLElement>('[data-autofocus]:enabled')
  stopgap = target === null ? dialog : null
  ;(target ?? dialog).focus({ preventScroll: true })
}
