import { useBlocker } from '@tanstack/react-router'
import { currentSession } from './session.ts'

/** Keeps people on the page while `isNeeded`: Back does nothing, and a reload asks first. The end of the session wins. */
export function useStay(isNeeded: boolean): void {
  useBlocker({ shouldBlockFn: () => currentSession().kind === 'authenticated', disabled: !isNeeded })
}
