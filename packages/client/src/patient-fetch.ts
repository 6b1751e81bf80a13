/** Longest wait before another attempt. A server that asks for more gets no further attempt. */
const MAX_WAIT_MS = 60_000

/** How often and how long a call is tried. */
export type Patience = {
  attempts: number
  /** The time of one attempt, until its answer is read. */
  timeoutMs: number
  /** The wait before the second attempt, doubled for each further one. */
  firstWaitMs: number
  /** Whether another attempt after this answer may succeed. An attempt without an answer is always repeated. */
  isRetryable: (answer: Response) => boolean
}

/** A `fetch` that repeats calls other than PATCH, which may toggle a key, and waits as long as `Retry-After` says. */
export function patientFetch({ attempts, timeoutMs, firstWaitMs, isRetryable }: Patience) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attempts || request.method === 'PATCH'
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      const answer = await fetch(request.clone(), { signal }).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error
        return null
      })
      const waitMs = Math.max(retryAfterMs(answer), firstWaitMs * 2 ** (attempt - 1) * (1 + Math.random()))
      if (answer !== null && (isLast || waitMs > MAX_WAIT_MS || !isRetryable(answer))) return answer
      await answer?.body?.cancel()
      await wait(waitMs, request.signal)
      request.signal.throwIfAborted()
    }
  }
}

/** `Retry-After` may also be a date, which our servers do not send. */
function retryAfterMs(answer: Response | null): number {
  const seconds = Number(answer?.headers.get('retry-after') ?? 0)
  return Number.isNaN(seconds) ? 0 : seconds * 1_000
}

/** Waits, and ends early when `signal` aborts. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
