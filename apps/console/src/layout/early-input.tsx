import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { focusOnMount, useFocusReturn } from '#src/ui/dialog/use-focus-return.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'

type Props = {
  onType: (text: string) => void
  onEnter: () => void
  onClose: () => void
}

/** Captures typed text while the palette is loading, so that no letter is lost or handled as a shortcut. */
export function EarlyInput({ onType, onEnter, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useFocusReturn()
  useLayoutEffect(() => focusOnMount(input.current), [])
  function press({ key, nativeEvent }: KeyboardEvent) {
    if (nativeEvent.isComposing) return
    if (key === 'Enter') onEnter()
    if (key === 'Escape') onClose()
  }
  return (
    <input
      ref={input}
      className={`${hidden.hidden} ${hidden.inView}`}
      aria-label="Search"
      data-early
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={press}
    />
  )
}

/** Whether typed text is captured for the loading palette. */
export function isTypingEarly(): boolean {
  return document.activeElement?.hasAttribute('data-early') === true
}
