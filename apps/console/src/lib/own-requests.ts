/** More requests than a tab sends before their entries of the audit log arrive, even in a bulk change. */
const KEPT_MAX = 1_000

const ids = new Set<string>()
/** The version of each record after the last change by this tab. */
const versions = new Map<string, number>()

/** Remembers that a request came from this tab, by its id in the headers of the answer. */
export function noteOwnRequest(headers: Headers): void {
  const id = headers.get('x-request-id')
  if (id === null) return
  ids.add(id)
  const [oldest] = ids
  if (ids.size > KEPT_MAX && oldest !== undefined) ids.delete(oldest)
}

/** Whether a change was made by this tab, which shows its result already. */
export function isOwnRequest(id: string | null): boolean {
  return id !== null && ids.has(id)
}

/** Remembers the version of a record that this tab has changed, from the answer to the change. */
export function noteOwnVersion(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || !('version' in answer)) return
  if (typeof answer.id === 'string' && typeof answer.version === 'number') versions.set(answer.id, answer.version)
}

/** Whether this tab made the last change of a record, which has this version since. */
export function isOwnVersion(id: string, version: number): boolean {
  return versions.get(id) === version
}
