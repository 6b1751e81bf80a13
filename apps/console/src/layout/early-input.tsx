import { useEffect, useRef } from 'react'
import { useFocusReturn } from '#src/components/use-focus-return.ts'
import hidden from '#src/components/visually-hidden.module.css'

/** Takes what is typed while the palette is still on its way, so that no letter is lost or taken for a shortcut. */
export function EarlyInput({ onType, onEnter }: { onType: (text: string) => void; onEnter: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  useFocusReturn()
  useEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      className={`${hidden.hidden} ${hidden.inView}`}
      aria-label="Search"
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter()
      }}
    />
  )
}
