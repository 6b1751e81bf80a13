import type { ReactNode } from 'react'
import { notify } from '#src/lib/notify.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = {
  title: string
  /** The message of a failure for which the server gives no sentence. */
  failure: string
  success: string
  /** Text to type before the deletion. */
  mustType?: string
  confirmLabel?: string
  /** Offers Undo in the notification about a record. */
  undo?: { about: string; onUndo: () => Promise<string> }
  onDelete: () => Promise<unknown>
  onDeleted?: (() => void) | undefined
  onClose: () => void
  /** The question, with the name of the record and the consequences. */
  children: ReactNode
}

/** Asks before a record is deleted, deletes the record and reports the success. */
export function ConfirmDelete({
  success,
  undo,
  onDelete,
  onDeleted,
  onClose,
  confirmLabel = 'Delete',
  ...dialog
}: Props) {
  async function confirm() {
    await onDelete()
    onClose()
    notify('ok', success, undo)
    onDeleted?.()
  }
  return <ConfirmDialog {...dialog} tone="danger" confirmLabel={confirmLabel} onConfirm={confirm} onClose={onClose} />
}
