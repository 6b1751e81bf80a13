import { useRouter } from '@tanstack/react-router'
import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
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
      className={hidden.field}
      aria-label="Search"
      data-early
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={press}
    />
  )
}

/** Whether typed text is captured for the loading palette, or a letter for the next page is being composed. */
export function isTypingEarly(): boolean {
  return document.activeElement?.matches('[data-early], [data-composing]') === true
}

/**
 * Captures text typed while the page of a form opens. The form's first field gets the text with the focus. A real input,
 * so that Backspace and text composition (IME) work.
 */
export function EarlyFormInput() {
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const pageBefore = useRef<Element | null>(null)
  useEffect(
    () =>
      // In the click itself: a state would come after the next key on a busy machine.
      router.subscribe('onBeforeLoad', ({ pathChanged, toLocation }) => {
        const [, , route] = router.getMatchedRoutes(toLocation.pathname)
        if (input.current === null || !pathChanged || route?.options.staticData?.isForm !== true) return
        pageBefore.current = document.querySelector('main')
        input.current.hidden = false
        focusOnMount(input.current)
      }),
    [router],
  )
  function giveText({ currentTarget, relatedTarget: field }: FocusEvent<HTMLInputElement>) {
    const text = currentTarget.value
    currentTarget.value = ''
    currentTarget.hidden = true
    if (text === '' || field === null || field.closest('main') === pageBefore.current) return
    // After the render that focuses the field, and like typing: with the events, the length limit and the undo of the field.
    queueMicrotask(() => document.execCommand('insertText', false, text))
  }
  return (
    <input
      ref={input}
      hidden
      tabIndex={-1}
      className={hidden.field}
      aria-label="Text for the next page"
      onCompositionStart={({ currentTarget }) => currentTarget.toggleAttribute('data-composing', true)}
      onCompositionEnd={({ currentTarget }) => currentTarget.toggleAttribute('data-composing', false)}
      onBlur={giveText}
    />
  )
}
