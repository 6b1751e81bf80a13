import { storedKeysOff } from '#src/lib/storage.ts'

type KeyPress = Pick<KeyboardEvent, 'target' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>

/**
 * Whether a key may act without a modifier: not in a text field, over a dialog or a menu, or during text composition
 * (IME).
 */
export function isPlainKey({ target, ctrlKey, metaKey, altKey, isComposing }: KeyPress): boolean {
  return !ctrlKey && !metaKey && !altKey && !isComposing && !isTyping(target) && !isDialogOpen() && !isMenuOpen()
}

/** Whether a character key may act without a modifier. Character keys can be switched off (WCAG 2.1.4). */
export function isSingleKey(event: KeyPress): boolean {
  return storedKeysOff.get() === null && isPlainKey(event)
}

/** Whether keys typed into an element are text. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]')
  )
}

/** Whether a dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}

/** Whether a menu is open. */
export function isMenuOpen(): boolean {
  return document.querySelector('[role="menu"]:popover-open') !== null
}
