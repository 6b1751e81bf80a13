import { useBlocker } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId } from 'react'
import { addUnsaved, firstUnsaved } from '#src/lib/navigation/unsaved.ts'

/**
 * Blocks navigation to another page while `isNeeded` returns true and `mayLeave` does not allow it. The browser itself
 * asks before a reload or before the tab closes. An expired session shows a sign-in dialog instead of /login.
 */
export function useLeaveGuard(isNeeded: () => boolean, mayLeave: () => boolean | Promise<boolean>): void {
  const id = useId()
  const isUnsaved = useEffectEvent(isNeeded)
  useEffect(() => addUnsaved(id, isUnsaved), [id])
  useBlocker({
    // Only the first of several unsaved forms asks. A sign-out always leads to /login.
    shouldBlockFn: async ({ current, next }) =>
      firstUnsaved() === id && next.pathname !== current.pathname && next.pathname !== '/login' && !(await mayLeave()),
    enableBeforeUnload: isNeeded,
  })
}
