import { Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './confirm-dialog.module.css'
import { Dialog, DialogFooter, DialogMain } from './dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import tones from '#src/ui/page/tones.module.css'

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
  busy: boolean
  /** Why the last attempt failed; shown in the dialog. */
  error: string | null
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is done (spec §2, Generic dialogs). Nothing closes it while it is being done. */
export function ConfirmDialog({ title, tone, busy, error, onConfirm, onClose, children, ...labels }: Props) {
  const { confirmLabel = 'Confirm', cancelLabel = 'Cancel' } = labels
  const { Icon, ground } = LOOKS[tone]
  return (
    <Dialog title={title} size="sm" busy={busy} onClose={onClose}>
      <DialogMain>
        <div className={css.said}>
          <div className={`${css.icon} ${ground}`}>
            <Icon size={18} aria-hidden />
          </div>
          <div className={css.text}>{children}</div>
        </div>
        {error !== null && (
          <div className={css.error}>
            <Notice tone="bad">{error}</Notice>
          </div>
        )}
      </DialogMain>
      <DialogFooter>
        {/* The harmless button has the focus, so that a hasty Enter destroys nothing. */}
        <Button variant="default" disabled={busy} onClick={onClose} data-autofocus>
          {cancelLabel}
        </Button>
        <Button {...(tone === 'danger' && { color: 'red' })} disabled={busy} onClick={onConfirm}>
          {busy ? 'Processing...' : confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
