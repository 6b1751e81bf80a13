import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

type Guard = {
  /** Asks before a dialog with unsaved changes closes. Resolves to true when the dialog may close. */
  mayClose: () => Promise<boolean>
  /** The open question; always rendered beside the form. */
  question: ReactNode
}

/** Asks before unsaved changes are lost, and refuses to leave during a save. */
export function useUnsavedGuard(
  isUnsaved: () => boolean,
  {
    isSending = () => false,
    text = 'Your unsaved changes will be lost.',
  }: { isSending?: () => boolean; text?: string } = {},
): Guard {
  const [answer, setAnswer] = useState<{ give: (isLeaving: boolean) => void } | null>(null)
  useLeaveGuard(() => isSending() || isUnsaved(), mayLeave)

  async function mayLeave(): Promise<boolean> {
    if (isSending()) return false
    answer?.give(false)
    const isLeaving = await new Promise<boolean>((give) => setAnswer({ give }))
    setAnswer(null)
    return isLeaving
  }

  return {
    mayClose: async () => !isUnsaved() || (await mayLeave()),
    question: answer && (
      <Suspense>
        <ConfirmDialog
          title="Leave Without Saving"
          tone="warning"
          confirmLabel="Leave"
          cancelLabel="Stay"
          onConfirm={() => answer.give(true)}
          onClose={() => answer.give(false)}
        >
          <p>{text}</p>
        </ConfirmDialog>
      </Suspense>
    ),
  }
}
