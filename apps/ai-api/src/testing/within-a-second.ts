import { setTimeout as pause } from 'node:timers/promises'

/** A change reaches every process within this time, in milliseconds. */
const REACHED_MS = 1_000
const PAUSE_MS = 5

/**
 * Repeats a check from a change on, until it passes. A check that begins later than a second after the change must
 * pass, however slow the machine is.
 */
export async function withinASecond(check: () => Promise<void>): Promise<void> {
  const changedAt = performance.now()
  for (;;) {
    const isDue = performance.now() - changedAt > REACHED_MS
    try {
      return await check()
    } catch (error) {
      if (isDue) throw error
    }
    await pause(PAUSE_MS)
  }
}
