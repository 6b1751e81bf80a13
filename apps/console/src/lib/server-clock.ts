import { DAY_MS, dayOf } from '@switchboard/contract/wire/days'

/** How far the server's clock is ahead of the clock of this computer, in ms: a computer may be wrong by days. */
let ahead = 0

/** The `Date` header leaves out a part of a second, and the answer takes some time, in ms. */
const HEADER_AGE_MAX_MS = 2_000

/**
 * Reads the `Date` header of an answer that no cache has kept. The header has whole seconds, so it corrects the clock only
 * if the clock contradicts it: otherwise the time would jump back at each answer, and two moments of one second would be
 * the same.
 */
export function noteServerTime(headers: Headers): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (serverNow() < at || serverNow() > at + HEADER_AGE_MAX_MS) ahead = at - Date.now()
}

/** The time in ms by the server's clock, for everything that is compared with a time of the server. */
export function serverNow(): number {
  return Date.now() + ahead
}

/** The UTC day so many days before today, by the server's clock. */
export function serverDay(daysAgo: number): string {
  return dayOf(serverNow() - daysAgo * DAY_MS)
}

/** A time in ms of this computer, such as `dataUpdatedAt` of a query, by the server's clock. */
export function serverTime(local: number): string {
  return new Date(local + ahead).toISOString()
}
