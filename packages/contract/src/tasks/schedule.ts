import * as z from 'zod/mini'
import { DAY_MS } from '#src/wire/days.ts'

/** Frequencies of a schedule. */
export const FREQUENCIES = ['monthly', 'biweekly', 'weekly', 'daily'] as const
/** A frequency of a schedule. */
export const frequency = z.enum(FREQUENCIES)
export type Frequency = z.infer<typeof frequency>

const DAYS = { daily: 1, weekly: 7, biweekly: 14 } as const
/** Average of the Gregorian calendar, leap years included. */
const DAYS_PER_MONTH = 365.2425 / 12

/** Runs in an average month, for the estimate of calls to Google. */
export function runsPerMonth(often: Frequency): number {
  return often === 'monthly' ? 1 : DAYS_PER_MONTH / DAYS[often]
}

/**
 * The next `count` times of a schedule after a moment, as ISO 8601 in UTC. They count from `anchor`, the creation of
 * the task, which is not included: whole days, or the same day of later months, in a shorter month the last day.
 */
export function nextRuns(anchor: string, often: Frequency, after: string, count: number): string[] {
  const first = firstStepAfter(anchor, often, after)
  return Array.from({ length: count }, (_, n) => stepOf(anchor, often, first + n).toISOString())
}

/** The next time of a schedule after a moment, however many times were missed. */
export function nextRun(anchor: string, often: Frequency, after: string): string {
  return stepOf(anchor, often, firstStepAfter(anchor, often, after)).toISOString()
}

/** The number of the first step after the moment, from 1. */
function firstStepAfter(anchor: string, often: Frequency, after: string): number {
  const [from, to] = [new Date(anchor), new Date(after)]
  if (often !== 'monthly') {
    return Math.max(1, Math.floor((to.getTime() - from.getTime()) / (DAYS[often] * DAY_MS)) + 1)
  }
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const isLater = stepOf(anchor, often, months) > to
  return Math.max(1, isLater ? months : months + 1)
}

/** The n-th time, counted from the anchor, so that the 31st survives short months. */
function stepOf(anchor: string, often: Frequency, n: number): Date {
  const time = new Date(anchor)
  if (often !== 'monthly') return new Date(time.getTime() + n * DAYS[often] * DAY_MS)
  const day = time.getUTCDate()
  time.setUTCDate(1)
  time.setUTCMonth(time.getUTCMonth() + n)
  time.setUTCDate(Math.min(day, lastDayOfMonth(time)))
  return time
}

function lastDayOfMonth(time: Date): number {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
}
