import { useSyncExternalStore } from 'react'
import { currentSession, onSessionChange, type Session } from './session.ts'

/** The session, followed as it changes. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession)
}
