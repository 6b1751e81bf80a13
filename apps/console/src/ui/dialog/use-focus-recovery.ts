import { useEffect } from 'react'

/** A dialog that has the focus itself, because all its controls were disabled. */
let fallback: Element | null = null
/** The element that last had the focus in each dialog. */
const lastFocused = new WeakMap<Element, HTMLElement>()

/**
 * Returns the focus to the topmost dialog. When the focused element is disabled or removed, the browser moves the focus
 * to the page behind the dialog.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    const observer = new MutationObserver(recoverFocus)
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    // Only after the event does the browser know the newly focused element.
    const recoverSoon = () => void setTimeout(recoverFocus)
    document.addEventListener('focusout', recoverSoon)
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusout', recoverSoon)
      document.removeEventListener('focusin', remember)
    }
  }, [])
}

/** The dialog above all others; null without an open dialog. */
function topmostDialog(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1) ?? null
}

/** Whether no other dialog and no list of options is open above a dialog. Every open dialog receives Escape. */
export function isOnTop(dialog: HTMLElement | null): boolean {
  const hasOptions = document.activeElement?.matches('[role="combobox"][aria-expanded="true"]') === true
  return !hasOptions && dialog?.contains(topmostDialog()) === true
}

function remember({ target }: FocusEvent): void {
  const dialog = target instanceof HTMLElement && target.closest('[aria-modal="true"]')
  if (dialog && dialog !== target) lastFocused.set(dialog, target)
}

function recoverFocus(): void {
  const { activeElement } = document
  // A disabled element loses the focus only with the next frame.
  const isLost =
    activeElement === null ||
    activeElement === document.body ||
    activeElement === fallback ||
    activeElement.matches(':disabled')
  const dialog = topmostDialog()
  if (!isLost || dialog === null) return
  const last = lastFocused.get(dialog)
  const target =
    last && dialog.contains(last) && !last.matches(':disabled')
      ? last
      : dialog.querySelector<HTMLElement>('[data-autofocus]:enabled')
  fallback = target === null ? dialog : null
  ;(target ?? dialog).focus({ preventScroll: true })
}
