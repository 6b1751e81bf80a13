import { useEffect } from 'react'

/** Where the focus was before the last dialog: a dialog that replaces another one at once finds it nowhere. */
let lastPlace: Element | null = null

/** Gives the focus back to where it was when the component came; to the page's title if that place is gone. */
export function useFocusReturn(): void {
  useEffect(() => {
    if (document.activeElement !== document.body) lastPlace = document.activeElement
    const place = lastPlace
    return () => {
      // Later, because the browser drops the focus of the removed dialog only after this.
      setTimeout(() => {
        if (document.querySelector('[aria-modal="true"]')) return
        const target = place?.isConnected ? place : document.querySelector('main h1')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    }
  }, [])
}
