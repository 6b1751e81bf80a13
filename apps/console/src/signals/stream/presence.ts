import { isConnectionLost, onConnectionChange } from '#src/lib/connection.ts'
import { currentSession, onSessionChange } from '#src/lib/session.ts'

/**
 * After this time without input, nobody is at the tab. It no longer follows changes and refetches nothing by itself, because
 * these calls would keep the session alive.
 */
const AWAY_MS = 30 * 60_000
const CHECK_MS = 60_000

let lastInputAt = 0

/** Whether someone may look at the tab: it is visible and in use, its admin is signed in, and the server answers. */
export function isPresent(): boolean {
  const session = currentSession()
  const isSignedIn = session.kind === 'authenticated' && !session.isExpired && session.admin.must_enroll !== true
  return isSignedIn && !document.hidden && !isConnectionLost() && !isAway()
}

/** Calls back whenever `isPresent` may have changed, until `signal` aborts. */
export function onPresenceChange(listener: () => void, signal: AbortSignal): void {
  const onInput = () => {
    const wasAway = isAway()
    lastInputAt = performance.now()
    if (wasAway) listener()
  }
  for (const name of ['pointermove', 'pointerdown', 'keydown'])
    document.addEventListener(name, onInput, { capture: true, passive: true, signal })
  document.addEventListener('visibilitychange', listener, { signal })
  const stops = [onConnectionChange(listener), onSessionChange(listener)]
  const timer = setInterval(listener, CHECK_MS)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    for (const stop of stops) stop()
  })
}

/** Whether nobody is at the tab. */
export function isAway(): boolean {
  return performance.now() - lastInputAt > AWAY_MS
}
