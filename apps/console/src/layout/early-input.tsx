import { useLayoutEffect, useRef } from 'react'
import { focusAtOnce, useFocusReturn } from '#src/components/use-focus-return.ts'
import hidden from '#src/components/visually-hidden.module.css'

type Props = {
  onType: (text: string) => void
  onEnter: () => void
  onClose: () => void
}

/** Takes what is typed while the palette is still on its way, so that no letter is lost or taken for a shortcut. */
export function EarlyInput({ onType, onEnter, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useFocusReturn()
  useLayoutEffect(() => focusAtOnce(input.current), [])
  return (
    <dialog open aria-modal aria-label="Search and commands" className={`${hidden.hidden} ${hidden.inView}`}>
      <input
        ref={input}
        aria-label="Search"
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onEnter()
          if (event.key === 'Escape') onClose()
        }}
      />
    </dialog>
  )
}
