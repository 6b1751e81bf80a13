/** More requests than a tab sends before their entries of the audit log arrive, even in a bulk change. */
const KEPT_MAX = 1_000

const requestIds = new Set<string>()
/** Changes by this tab that have no answer yet, with the ids in their addresses. */
const pending = new Set<{ ids: readonly unknown[]; answered: Promise<void> }>()
/** The versions of each record between which only this tab changed it. */
const versions = new Map<string, { from: number; to: number }>()

/** Remembers that a request came from this tab, by its id in the headers of the answer. */
export function noteOwnRequest(headers: Headers): void {
  const id = headers.get('x-request-id')
  if (id === null) return
  requestIds.add(id)
  const [oldest] = requestIds
  if (requestIds.size > KEPT_MAX && oldest !== undefined) requestIds.delete(oldest)
}

/** Whether a change was made by this tab, which shows its result already. */
export function isOwnRequest(id: string | null): boolean {
  return id !== null && requestIds.has(id)
}

/** Remembers a change by this tab until its answer, and then the version that the record has since. */
export async function trackOwnChange<Answer extends { data: unknown }>(
  params: unknown,
  answer: Promise<Answer>,
): Promise<Answer> {
  const answered = answer.then(noteOwnVersion, () => undefined)
  const change = { ids: Object.values(params ?? {}), answered }
  pending.add(change)
  await answered
  pending.delete(change)
  return await answer
}

/**
 * The version that a record has after the changes that this tab made to it since `version`, once they are answered. A
 * change that begins during another one of the same tab then meets no conflict.
 */
export async function versionAfterOwnChanges(id: unknown, version: number): Promise<number> {
  const ofRecord = [...pending].filter(({ ids }) => ids.includes(id))
  await Promise.all(ofRecord.map(({ answered }) => answered))
  const own = typeof id === 'string' ? versions.get(id) : undefined
  return own !== undefined && own.from <= version ? Math.max(own.to, version) : version
}

/** Whether this tab made the last change of a record, which has this version since. */
export function isOwnVersion(id: string, version: number): boolean {
  return versions.get(id)?.to === version
}

function noteOwnVersion({ data }: { data: unknown }): void {
  if (typeof data !== 'object' || data === null || !('id' in data) || !('version' in data)) return
  const { id, version } = data
  if (typeof id !== 'string' || typeof version !== 'number') return
  const known = versions.get(id)
  if (known?.to === version) return
  versions.set(id, { from: known?.to === version - 1 ? known.from : version - 1, to: version })
}
