import { failureOf } from '#src/connection/failures.ts'
import { pause } from '#src/pause.ts'
import { reasonOf } from './reason.ts'
import { StartError } from './start-error.ts'

/**
 * How long a step of a start is retried by default, in milliseconds. The time limits of requests do not apply to a
 * start.
 */
export const START_MS = 120_000

/** A step that takes longer says what it waits for, in milliseconds. */
const NOTICE_MS = 5_000

const RETRY_MS = 250

export type Patience = {
  /** How long a step is retried, in milliseconds. */
  ms: number
  /** Receives one line about a step that takes long. */
  say: (line: string) => void
  /** Ends the wait. */
  signal: AbortSignal
}

/** A single try. */
export const ONCE: Patience = { ms: 0, say: () => undefined, signal: new AbortController().signal }

/**
 * Runs a step of a start, and retries it while the database does not answer, starts up, is busy or read-only, or a port
 * is taken. Says once what it waits for. Throws the reason of `signal`, and a StartError after `ms` milliseconds.
 * Throws any other failure, such as a wrong password, at once. `step` must be idempotent.
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
