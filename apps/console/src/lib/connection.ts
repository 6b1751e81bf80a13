import { retryDelayMs } from '@switchboard/contract/wire/retries'
import { noteServerTime } from './server-clock.ts'

// `healthz` of packages/contract/src/wire/health.ts, without its schemas: this file is part of the first script.
const HEALTH_URL = '/healthz'
/** A slower server counts as unreachable. */
const TIMEOUT_MS = 5_000
/** Maximum age of an answer for the server to count as reachable without another check. */
const TRUSTED_MS = 2_000

let isLost = false
let answeredAt = 0
let check: Promise<boolean> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Whether the last check got no answer. */
export function isConnectionLost(): boolean {
  return isLost
}

/** Calls back when the connection is lost and when the connection is back. Returns an unsubscribe function. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Records that the server is reachable, and its time. Called for the answer to every call. */
export function noteAnswer({ headers }: Response): void {
  noteServerTime(headers)
  answeredAt = Date.now()
  publish(false)
}

/** Whether the server answered within `TRUSTED_MS`. */
export function hasJustAnswered(): boolean {
  return !isLost && Date.now() - answeredAt < TRUSTED_MS
}

/**
 * Checks whether the server answers. Without an answer, retries with backoff until the server is back. Concurrent calls
 * share a check.
 */
export function checkConnection(): Promise<boolean> {
  check ??= healthAnswer().then((answer) => {
    check = null
    if (answer !== null) noteAnswer(answer)
    else publish(true)
    return answer !== null
  })
  return check
}

/** Checks the connection when the browser goes offline or online, and when a disconnected tab becomes visible. */
export function watchConnection(): void {
  window.addEventListener('offline', () => void checkConnection())
  window.addEventListener('online', () => void checkConnection())
  document.addEventListener('visibilitychange', () => {
    if (isLost && !document.hidden) void checkConnection()
  })
}

async function healthAnswer(): Promise<Response | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(HEALTH_URL, { cache: 'no-store', credentials: 'omit', signal })
    return answer.ok ? answer : null
  } catch {
    // Any failure means no answer.
    return null
  }
}

function publish(lost: boolean): void {
  if (lost === isLost) return
  isLost = lost
  clearTimeout(timer)
  if (lost) retryLater(0)
  for (const listener of listeners) listener()
}

/** Exponential backoff. The jitter keeps all consoles from returning to a restarted server at the same moment. */
function retryLater(attempt: number): void {
  const delay = retryDelayMs(attempt) * (0.5 + Math.random() / 2)
  timer = setTimeout(() => {
    void checkConnection().then((isUp) => {
      if (!isUp) retryLater(attempt + 1)
    })
  }, delay)
}
