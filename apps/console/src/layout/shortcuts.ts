import { useNavigate } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { tinykeys } from 'tinykeys'
import { storedKeysOff } from '#src/lib/storage.ts'
import { NAVIGATION } from '#src/lib/navigation.ts'

/** The keys of the palette as they stand on the keyboard at hand. */
export const PALETTE_KEYS_TEXT = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? ['⌘', 'K'] : ['Ctrl', 'K']

type Handlers = {
  onPalette: () => void
  onHelp: () => void
}

/**
 * The keys of the whole console. Those without Ctrl or Cmd hold while nobody types and no dialog is open, and can be
 * switched off (WCAG 2.1.4).
 */
export function useShortcuts({ onPalette, onHelp }: Handlers): void {
  const navigate = useNavigate()
  const openPalette = useEffectEvent(onPalette)
  const openHelp = useEffectEvent(onHelp)
  // As soon as the page can be seen, keys can be pressed.
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

/** Whether a dialog stands over the page. */
export function isDialogOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus()
}
