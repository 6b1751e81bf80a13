import { IconDots } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Action } from '#src/ui/table/action.ts'

const ActionSheet = lazyPart(() => import('./action-sheet.tsx').then((code) => code.ActionSheet))
const ActionMenu = lazyPart(() => import('./action-menu.tsx').then((code) => code.ActionMenu))

type Props = {
  /** Name of the record or the list. */
  label: string
  actions: Action[]
  /** Called when the menu opens. */
  onIntent?: (() => void) | undefined
}

/**
 * All actions of a row or a list behind one button: in a menu beside the button, or at the bottom of a phone's screen.
 * Nothing without actions.
 */
export function MoreMenu({ label, actions, onIntent }: Props) {
  const isPhone = useIsPhone()
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  // 0 while closed. The browser reports a closed menu with a delay; a key press in between opens a new menu with this
  // React key.
  const [opening, setOpening] = useState(0)
  const isOpen = opening > 0
  // The press on the button of an open menu closes the menu, before the click.
  const wasOpen = useRef(false)
  const close = () => setOpening(0)
  if (actions.length === 0) return null
  return (
    <>
      <button
        ref={setButton}
        type="button"
        className="icon-button"
        aria-label={`More actions for ${label}`}
        aria-haspopup={isPhone ? 'dialog' : 'menu'}
        aria-expanded={isOpen}
        onPointerDown={() => {
          wasOpen.current = isOpen
          void (isPhone ? ActionSheet : ActionMenu).preload?.()
          onIntent?.()
        }}
        onClick={() => {
          setOpening(wasOpen.current ? 0 : opening + 1)
          wasOpen.current = false
        }}
      >
        <IconDots size={18} aria-hidden />
      </button>
      {isOpen && (
        <Suspense>
          {isPhone || button === null ? (
            <ActionSheet key={opening} label={label} actions={actions} onClose={close} />
          ) : (
            <ActionMenu key={opening} label={label} actions={actions} anchor={button} onClose={close} />
          )}
        </Suspense>
      )}
    </>
  )
}
