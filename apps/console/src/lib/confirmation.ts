import { useSyncExternalStore } from 'react'
import { currentSession, onSessionChange } from './session.ts'

/** Resolves with whether the admin confirmed. Null while nothing asks. */
let asked: PromiseWithResolvers<boolean> | null = null
const listeners = new Set<() => void>()

/**
 * Opens the dialog "Confirm That It Is You" over the page. Returns whether the admin confirmed. Concurrent calls share the
 * dialog.
 */
export function askForConfirmation(): Promise<boolean> {
  if (asked === null) {
    asked = Promise.withResolvers()
    publish()
  }
  return asked.promise
}

/** Closes the dialog, and lets the waiting calls continue or fail. */
export function endConfirmation(isConfirmed: boolean): void {
  asked?.resolve(isConfirmed)
  asked = null
  publish()
}

export function useIsConfirmationAsked(): boolean {
  return useSyncExternalStore(onChange, () => asked !== null)
}

// Without a session, no page is left for the dialog.
onSessionChange(() => {
  if (asked !== null && currentSession().kind !== 'authenticated') endConfirmation(false)
})

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(): void {
  for (const listener of listeners) listener()
}
