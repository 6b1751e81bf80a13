import { useSyncExternalStore } from 'react'

/**
 * A change of a record that this tab did not make. `version` is the one of the record after it, null for a deletion. `by` is the
 * name or the address of the person, null for the system.
 */
export type ChangeByOthers = {
  id: string
  version: number | null
  by: string | null
  isOwnAccount: boolean
  at: string
}

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

/** The last change of a record by others, unless `version`, which is open in a form, has it already. */
export function useChangeByOthers(id: string | undefined, version = 0): ChangeByOthers | undefined {
  const change = useSyncExternalStore(subscribe, () => (id === undefined ? undefined : changes.get(id)))
  return change && (change.version ?? Infinity) > version ? change : undefined
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
