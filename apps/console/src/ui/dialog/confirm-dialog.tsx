import { Button, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { Notice } from '#src/ui/notice/notice.tsx'
import tones from '#src/ui/badge/tones.module.css'
import css from './confirm-dialog.module.css'
import { Dialog, DialogFooter, DialogMain } from './dialog.tsx'

const LOOKS = {
  danger: { Icon: IconTrash, ground: tones.bad },
  warning: { Icon: IconAlertTriangle, ground: tones.warn },
  info: { Icon: IconInfoCircle, ground: tones.info },
}

type Props = {
  title: string
  tone: keyof typeof LOOKS
  confirmLabel?: string
  cancelLabel?: string
  /** The message of a failure for which the server gives no sentence. */
  failure?: string
  /** Text to type before the confirmation, such as the name of the record. */
  mustType?: string
  /** Nothing closes the dialog before the promise settles. A rejection shows in the dialog. */
  onConfirm: () => void | Promise<void>
  onClose: () => void
  children: ReactNode
}
type Phase = { kind: 'idle' | 'busy' } | { kind: 'failed'; error: unknown }

/** Asks for a confirmation before an action. */
export function ConfirmDialog({
  title,
  tone,
  confirmLabel = 'Confirm',
  onConfirm,
  onClose,
  children,
  ...texts
}: Props) {
  const { cancelLabel = 'Cancel', failure = 'Failed', mustType } = texts
  const [typed, setTyped] = useState('')
  const isTyped = mustType === undefined || normalized(typed) === normalized(mustType)
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' })
  const isBusy = phase.kind === 'busy'
  const { Icon, ground } = LOOKS[tone]

  async function confirm() {
    setPhase({ kind: 'busy' })
    try {
      await onConfirm()
    } catch (error) {
      setPhase({ kind: 'failed', error })
    }
  }

  return (
    <Dialog title={title} size="sm" busy={isBusy} onClose={onClose}>
      <DialogMain>
        <div className={css.main}>
          <div className={`${css.icon} ${ground}`}>
            <Icon size={18} aria-hidden />
          </div>
          <div className={css.text}>{children}</div>
        </div>
        {mustType !== undefined && (
          <TextInput
            label="Type the name to confirm"
            className={css.below}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            disabled={isBusy}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={({ key, nativeEvent }) => {
              // The Enter that ends a text composition (IME) confirms nothing.
              if (key === 'Enter' && isTyped && !nativeEvent.isComposing) void confirm()
            }}
          />
        )}
        {phase.kind === 'failed' && (
          <div className={css.below}>
            <Notice tone="bad">{messageOf(phase.error, failure)}</Notice>
          </div>
        )}
      </DialogMain>
      <DialogFooter>
        {/* Focus on the harmless button: a hasty Enter destroys nothing. */}
        <Button variant="default" disabled={isBusy} onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <Button {...(tone !== 'info' && { color: 'red' })} disabled={isBusy || !isTyped} onClick={() => void confirm()}>
          {isBusy ? 'Processing...' : confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Without differences that are not visible: spaces at the ends or in a row, and composed characters. */
function normalized(text: string): string {
  return text.normalize().trim().replaceAll(/\s+/g, ' ')
}
