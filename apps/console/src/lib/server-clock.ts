/** How far the server's clock is ahead of the clock of this computer, in ms: a computer may be wrong by days. */
let ahead = 0

/** Reads the `Date` header, which has whole seconds, of an answer that no cache has kept. */
export function noteServerTime(headers: Headers): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** The time in ms by the server's clock, for everything that is compared with a time of the server. */
export function serverNow(): number {
  return Date.now() + ahead
}

/** A time in ms of this computer, such as `dataUpdatedAt` of a query, by the server's clock. */
export function serverTime(local: number): string {
  return new Date(local + ahead).toISOString()
}
