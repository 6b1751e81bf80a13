import { useState, useSyncExternalStore } from 'react'

/** A change of a record that this tab did not make. `by` is the name or the address of the person, null for the system. */
export type ChangeByOthers = { id: string; by: string | null; isOwnAccount: boolean; isDeletion: boolean; at: string }

/** Records whose last change is remembered: more than one screen has forms. */
const KEPT_MAX = 200

const changes = new Map<string, ChangeByOthers>()
const listeners = new Set<() => void>()

/** Remembers a change, for the forms that are open over its record. */
export function noteChangeByOthers(change: ChangeByOthers): void {
  changes.delete(change.id)
  changes.set(change.id, change)
  const [oldest] = changes.keys()
  if (changes.size > KEPT_MAX && oldest !== undefined) changes.delete(oldest)
  for (const listener of listeners) listener()
}

/**
 * The last change of a record by others since a form over it was opened, or since `forget` was called, such as after the form
 * took over the change.
 */
export function useChangeByOthers(id: string | undefined) {
  const current = useSyncExternalStore(subscribe, () => (id === undefined ? undefined : changes.get(id)))
  const [known, setKnown] = useState(current)
  return { change: current === known ? undefined : current, forget: () => setKnown(current) }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
