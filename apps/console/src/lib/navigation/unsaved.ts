/** A check for each form or text on the page: would leaving the page lose changes? */
const checks = new Map<string, () => boolean>()

/** Registers a check under a unique id. Returns the function that removes the check. */
export function addUnsaved(id: string, isUnsaved: () => boolean): () => void {
  checks.set(id, isUnsaved)
  return () => checks.delete(id)
}

/** The id of the first form with unsaved changes; undefined when leaving loses nothing. */
export function firstUnsaved(): string | undefined {
  return [...checks].find(([, isUnsaved]) => isUnsaved())?.[0]
}
