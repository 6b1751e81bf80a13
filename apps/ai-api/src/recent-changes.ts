/**
 * How long a change is kept in milliseconds, to compare it with the answers of running queries. No query takes that
 * long.
 */
const CHANGES_MS = 10_000

/** The announced changes of the last seconds: a row that was read before a change of it must not be cached. */
export function createRecentChanges() {
  /** Time of the latest change by id, oldest first. */
  const changedAt = new Map<string, number>()
  let missedAt = Number.NEGATIVE_INFINITY

  return {
    add(id: string): void {
      const now = performance.now()
      changedAt.delete(id)
      changedAt.set(id, now)
      for (const [old, at] of changedAt) {
        if (now - at < CHANGES_MS) break
        changedAt.delete(old)
      }
    },

    /** Until now, changes may have been missed. */
    miss(): void {
      missedAt = performance.now()
    },

    /** Whether one of these may have changed since a time (`performance.now()`). */
    isChangedSince: (time: number, ids: readonly string[]): boolean =>
      time <= missedAt ||
      time < performance.now() - CHANGES_MS ||
      ids.some((id) => (changedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= time),
  }
}
