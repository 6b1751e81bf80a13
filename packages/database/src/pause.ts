import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for `ms` milliseconds, or until `signal` is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
