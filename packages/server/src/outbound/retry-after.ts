/** Longest accepted wait. */
const DAY_MS = 86_400_000

/** The header `Retry-After` in milliseconds: seconds, or a date (RFC 9110, 10.2.3). Undefined without one that makes sense. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS)
}
