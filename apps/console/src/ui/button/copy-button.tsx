import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import css from './copy-button.module.css'

/** Duration of the "copied" state. */
const COPIED_NOTICE_MS = 2_000

type Props = { text: string; noun: string; label?: string; onCopied?: () => void }

/** Copies a text. `noun` names the text in the message of a refused copy. */
export function CopyButton({ text, noun, label = 'Copy', onCopied }: Props) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      onCopied?.()
    } catch {
      // The clipboard needs a secure context and the user's permission.
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
        {state === 'copied' ? 'Copied' : label}
      </Button>
      <output className={css.failure}>
        {state === 'failed' ? `Copying is not allowed here. Select the ${noun} instead.` : ''}
      </output>
    </>
  )
}
