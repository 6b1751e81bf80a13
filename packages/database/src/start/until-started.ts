import { failureOf } from '#src/connection/failures.ts'
import { pause } from '#src/pause.ts'
import { reasonOf } from './reason.ts'
import { StartError } from './start-error.ts'

/** How long a step of a start is tried again by default, in milliseconds. No time limit of requests governs a start. */
export const START_MS = 120_000

/** A longer step says what it waits for, in milliseconds. */
const NOTICE_MS = 5_000

const RETRY_MS = 250

/** How patient a start is. */
export type Patience = {
  /** How long a step is tried again, in milliseconds. */
  ms: number
  /** Receives one line about a step that takes long. */
  say: (line: string) => void
  /** Ends the wait. */
  signal: AbortSignal
}

/** A single try. */
export const ONCE: Patience = { ms: 0, say: () => undefined, signal: new AbortController().signal }

/**
 * Runs a step of a start, and tries again while the database does not answer, starts up, is busy or read-only, or a port
 * is taken. Says once what it waits for. Throws the signal's reason, and a StartError when the patience has ended. Any
 * other failure, such as a wrong password, is thrown at once. `step` must be repeatable.
 */
export async function untilStarted<Result>(
  what: string,
  step: () => Promise<Result>,
  { ms, say, signal }: Patience,
): Promise<Result> {
  const began = performance.now()
  let reason = ''
  const notice = setTimeout(() => say(`Waiting for ${what}${reason} …`), NOTICE_MS)
  try {
    for (;;) {
      try {
        return await step()
      } catch (error) {
        signal.throwIfAborted()
        if (!isRetryable(error)) throw error
        reason = `: ${reasonOf(causeOf(error))}`
        if (performance.now() - began >= ms) throw error instanceof StartError ? error : lateError(what, error, ms)
        await pause(RETRY_MS, signal)
      }
    }
  } finally {
    clearTimeout(notice)
  }
}

/** Whether the reason of a failed start may pass by itself. */
function isRetryable(error: unknown): boolean {
  const cause = causeOf(error)
  const failure = failureOf(cause)
  const isPortTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
  return isPortTaken || (failure !== null && failure !== 'disk_full')
}

function causeOf(error: unknown): unknown {
  return error instanceof StartError ? error.cause : error
}

function lateError(what: string, cause: unknown, ms: number): StartError {
  return new StartError(`Gave up waiting for ${what} after ${ms / 1_000} s: ${reasonOf(cause)}.`, { cause })
}
