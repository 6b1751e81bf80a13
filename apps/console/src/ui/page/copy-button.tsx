import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import css from './copy-button.module.css'

/** How long the button says that it has copied (spec §9). */
const COPIED_NOTICE_MS = 2_000

/** Copies a text. `what` names it where copying is not allowed and it has to be selected by hand. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
    } catch {
      // Browsers allow it only on secure pages, and people may forbid it.
      setState('failed')
    }
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setState('idle'), COPIED_NOTICE_MS)
  }

  return (
    <>
      <Button
        variant="default"
        data-autofocus
        leftSection={state === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        onClick={() => void copy()}
      >
        {state === 'copied' ? 'Copied' : 'Copy'}
      </Button>
      <output className={css.said}>
        {state === 'failed' ? `Copying is not allowed here. Select the ${what} instead.` : ''}
      </output>
    </>
  )
}
