import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for `ms` milliseconds, or less: the abort of `signal` ends the wait, and is no error. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
