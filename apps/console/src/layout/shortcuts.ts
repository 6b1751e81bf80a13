import { useNavigate } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { tinykeys } from 'tinykeys'
import { undoNewest } from '#src/lib/notify.ts'
import { storedKeysOff } from '#src/lib/storage.ts'
import { NAVIGATION } from './navigation.ts'

/** Label of the modifier key of shortcuts on this keyboard. */
export const MODIFIER_KEY = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Labels of the palette shortcut on this keyboard. */
export const PALETTE_KEYS_TEXT = [MODIFIER_KEY, 'K']

type Handlers = {
  onPalette: () => void
  onHelp: () => void
}

/**
 * The keyboard shortcuts. Single-key shortcuts are inactive in text fields and dialogs, and can be switched off
 * (WCAG 2.1.4).
 */
export function useShortcuts({ onPalette, onHelp }: Handlers): void {
  const navigate = useNavigate()
  const openPalette = useEffectEvent(onPalette)
  const openHelp = useEffectEvent(onHelp)
  // A layout effect: shortcuts work from the first paint.
  useLayoutEffect(() => {
    const single = (act: () => void) => (event: KeyboardEvent) => {
      if (storedKeysOff.get() !== null || isTyping(event.target) || isDialogOpen()) return
      event.preventDefault()
      act()
    }
    return tinykeys(
      window,
      {
        // Works in text fields too.
        '$mod+k': (event) => {
          event.preventDefault()
          openPalette()
        },
        // In a text field, the browser undoes typing.
        '$mod+z': (event) => {
          if (!isTyping(event.target) && !isDialogOpen() && undoNewest()) event.preventDefault()
        },
        z: single(undoNewest),
        // "?" needs Shift on some keyboard layouts and no Shift on others.
        'Shift+?': single(() => openHelp()),
        '?': single(() => openHelp()),
        '/': single(focusSearch),
        ...Object.fromEntries(NAVIGATION.map(({ to, key }) => [`g ${key}`, single(() => void navigate({ to }))])),
      },
      // By default, tinykeys ignores keys typed in a field, including Ctrl-K.
      { ignore: () => false },
    )
  }, [navigate])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type="checkbox"], [type="radio"]), select, textarea, [contenteditable]')
  )
}

/** Whether a dialog is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus()
}
