import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/components/dialog.tsx'
import { Notice } from '#src/components/notice.tsx'
import css from './secret-dialog.module.css'

/** How long the button says that it has copied (spec §9). */
const COPIED_NOTICE_MS = 2_000

/** Shows a new secret, the one time there is (spec §2, API keys). Only Done closes it: a slip would lose the secret. */
export function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <Dialog title="API Key Generated" closable={false} onClose={onDone}>
      <DialogMain>
        <div className={css.content}>
          <Notice tone="warn">Copy this key now. It is shown only once and cannot be recovered.</Notice>
          <div className={css.line}>
            <code className={css.secret}>{secret}</code>
            <CopyButton text={secret} />
          </div>
          <p className={css.hint}>Allowed origins bind browsers only. Keep the key out of public places.</p>
        </div>
      </DialogMain>
      <DialogFooter>
        <Button onClick={onDone}>Done</Button>
      </DialogFooter>
    </Dialog>
  )
}

function CopyButton({ text }: { text: string }) {
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
        {state === 'failed' ? 'Copying is not allowed here. Select the key instead.' : ''}
      </output>
    </>
  )
}
