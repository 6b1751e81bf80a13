import * as z from 'zod/mini'
import { momentOf, wallClockAt } from '#src/tasks/time-zone.ts'
import { DAY_MS } from '#src/wire/days.ts'

/** Frequencies of a schedule. */
export const FREQUENCIES = ['monthly', 'biweekly', 'weekly', 'daily'] as const
/** A frequency of a schedule. */
export const frequency = z.enum(FREQUENCIES)
export type Frequency = z.infer<typeof frequency>

/** A time of day, to the minute: "09:30". */
export const runTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 09:30.'))

const DAYS = { daily: 1, weekly: 7, biweekly: 14 } as const
/** Average of the Gregorian calendar, leap years included. */
const DAYS_PER_MONTH = 365.2425 / 12

/** Runs in an average month, for the estimate of calls to Google. */
export function runsPerMonth(often: Frequency): number {
  return often === 'monthly' ? 1 : DAYS_PER_MONTH / DAYS[often]
}

/** The fields of a task that decide when it runs. */
export type Schedule = {
  /** The anchor: days and months count from here. */
  created_at: string
  frequency: Frequency
  /** Time of day, "09:30", and its time zone. Null: the time of `created_at`, in UTC. */
  run_time: string | null
  time_zone: string | null
}

/**
 * The next `count` times of a schedule after a moment and after the creation of the task, as ISO 8601 in UTC: whole days
 * from the day of the creation, or the same day of later months, in a shorter month the last day.
 */
export function nextRuns(schedule: Schedule, after: string, count: number): string[] {
  const zone = schedule.time_zone ?? 'UTC'
  const first = firstOnWallClock(schedule, zone)
  const since = Math.max(Date.parse(after), Date.parse(schedule.created_at))
  const timeOf = (n: number) => momentOf(zone, stepOf(first, schedule.frequency, n))
  let next = stepsUntil(first, schedule.frequency, wallClockAt(zone, since))
  while (timeOf(next) <= since) next += 1
  return Array.from({ length: count }, (_, n) => new Date(timeOf(next + n)).toISOString())
}

/** The next time of a schedule after a moment, however many times were missed. */
export function nextRun(schedule: Schedule, after: string): string {
  const [next = ''] = nextRuns(schedule, after, 1)
  return next
}

/** The time of day on the day of the creation, on the wall clock of the zone. */
function firstOnWallClock({ created_at, run_time }: Schedule, zone: string): Date {
  const created = wallClockAt(zone, Date.parse(created_at))
  if (run_time === null) return created
  return new Date(`${created.toISOString().slice(0, 10)}T${run_time}:00.000Z`)
}

/** The number of the last step whose day is not after the day of `wall`, or a smaller one. */
function stepsUntil(first: Date, often: Frequency, wall: Date): number {
  if (often !== 'monthly') return Math.max(0, Math.floor((wall.getTime() - first.getTime()) / (DAYS[often] * DAY_MS)))
  const months = (wall.getUTCFullYear() - first.getUTCFullYear()) * 12 + wall.getUTCMonth() - first.getUTCMonth()
  return Math.max(0, months - 1)
}

/** The n-th time after the first one, counted from it, so that the 31st survives short months. */
function stepOf(first: Date, often: Frequency, n: number): Date {
  const time = new Date(first)
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
