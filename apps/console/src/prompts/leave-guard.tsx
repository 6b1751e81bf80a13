import { useBlocker } from '@tanstack/react-router'
import { Suspense } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'

const ConfirmDialog = lazyPart(() => import('#src/ui/dialog/confirm-dialog.tsx').then((code) => code.ConfirmDialog))

/** Asks before the page is left with a text that is not saved; the browser itself asks before the tab is closed. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    // Not when only the page of the history changes, nor when the session has ended: nobody could stay then.
    shouldBlockFn: ({ current, next }) => isDirty && next.pathname !== current.pathname && next.pathname !== '/login',
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Suspense>
      <ConfirmDialog
        title="Leave Without Saving"
        tone="warning"
        confirmLabel="Leave"
        cancelLabel="Stay"
        busy={false}
        error={null}
        onConfirm={proceed}
        onClose={reset}
      >
        <p>Your text is not saved. This tab keeps it until you come back.</p>
      </ConfirmDialog>
    </Suspense>
  )
}
