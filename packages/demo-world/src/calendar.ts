import type { Chance } from './chance.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The midnight in UTC before a time (ms). */
export function midnight(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/**
 * A moment about `daysAgo` days before `now` in working hours: Monday to Friday, seven to five UTC, at least two hours
 * before `now`.
 */
export function workingMoment(now: number, daysAgo: number, chance: Chance): number {
  let day = midnight(now) - Math.floor(daysAgo) * DAY_MS
  const time = 7 * HOUR_MS + chance.integer(0, 10 * 60 * 60) * 1_000 + chance.integer(0, 999)
  if (day + time > now - 2 * HOUR_MS) day -= DAY_MS
  while (isWeekend(day)) day -= DAY_MS
  return day + time
}

/** A working moment, or a moment soon after `earliest` if that is later. */
export function workingMomentAfter(earliest: number, now: number, daysAgo: number, chance: Chance): number {
  const moment = workingMoment(now, daysAgo, chance)
  return moment > earliest ? moment : earliest + chance.integer(2 * MINUTE_MS, 40 * MINUTE_MS)
}

export function isWeekend(ms: number): boolean {
  const day = new Date(ms).getUTCDay()
  return day === 0 || day === 6
}
