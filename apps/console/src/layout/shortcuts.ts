import { useNavigate } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { tinykeys } from 'tinykeys'
import { undoNewest } from '#src/lib/notify.ts'
import { isDialogOpen, isSingleKey, isTyping } from '#src/lib/input/single-keys.ts'
import { focusRow } from '#src/ui/dialog/use-focus-return.ts'
import { allowed } from '#src/lib/can.ts'
import { NAVIGATION, type NavigationEntry } from '#src/navigation.ts'

/** Label of the modifier key of shortcuts on this keyboard. */
export const MODIFIER_KEY = /Mac|iP(?:hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Labels of the palette shortcut on this keyboard. */
export const PALETTE_KEYS_TEXT = [MODIFIER_KEY, 'K']

type Handlers = {
  onPalette: () => void
  onHelp: () => void
}

/** The keyboard shortcuts of every page. The rows of a table have their own: `useRowCursor`. */
export function useShortcuts({ onPalette, onHelp }: Handlers): void {
  const navigate = useNavigate()
  const openPalette = useEffectEvent(onPalette)
  const openHelp = useEffectEvent(onHelp)
  // A layout effect: shortcuts work from the first paint.
  useLayoutEffect(() => {
    const single = (act: (event: KeyboardEvent) => unknown) => (event: KeyboardEvent) => {
      // A key that is held down acts once: a held Z undoes one change.
      if (event.repeat || !isSingleKey(event)) return
      event.preventDefault()
      // The K of "g k" moves no row.
      event.stopPropagation()
      act(event)
    }
    const enterTable = (event: KeyboardEvent) => {
      if (!document.activeElement?.closest('tbody')) single(focusRow)(event)
    }
    // One binding for all: tinykeys forgets the other sequences that begin with "g" only after a second.
    const goTo = ({ key }: KeyboardEvent) => {
      const entry = allowed<NavigationEntry>(NAVIGATION).find((one) => one.key === key.toLowerCase())
      if (entry) void navigate({ to: entry.to })
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
          if (!event.repeat && !isTyping(event.target) && !isDialogOpen() && undoNewest()) event.preventDefault()
        },
        z: single(undoNewest),
        [`g ([${NAVIGATION.map(({ key }) => key).join('')}])`]: single(goTo),
        // "?" needs Shift on some keyboard layouts and no Shift on others.
        'Shift+?': single(() => openHelp()),
        '?': single(() => openHelp()),
        '/': single(() => find('main input[type="search"]')?.focus()),
        c: single(() => find('main [aria-keyshortcuts="C"]')?.click()),
        f: single(() => find('main [aria-keyshortcuts="F"]')?.click()),
        j: enterTable,
        k: enterTable,
      },
      // By default, tinykeys ignores keys typed in a field, including Ctrl-K. Capture: before the keys of a table.
      { ignore: () => false, capture: true },
    )
  }, [navigate])
}

function find(selector: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(selector)
}
