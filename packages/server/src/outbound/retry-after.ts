/** Statuses of an overloaded server, whose `Retry-After` says when to try again. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503])
/** Longest accepted wait. */
const DAY_MS = 86_400_000

/** The header `Retry-After` of an overloaded server's answer. */
export function retryAfterOf(answer: {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
}): string | undefined {
  return OVERLOADED.has(answer.statusCode) ? [answer.headers['retry-after']].flat()[0] : undefined
}

/** The header `Retry-After` in milliseconds: seconds, or a date (RFC 9110, 10.2.3). Undefined without one that makes sense. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS)
}
