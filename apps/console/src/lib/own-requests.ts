/** More requests than a tab sends before their entries of the audit log arrive, even in a bulk change. */
const KEPT_MAX = 1_000

const ids = new Set<string>()

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
