/*
 * The texts of all times on screen: in English in every browser, with a 24-hour clock, and in the time zone of the
 * browser, which the profile names. Days and months of figures are those of UTC, and say so.
 */

import { serverNow } from '#src/lib/server-clock.ts'

const FORMATS = {
  time: { timeStyle: 'short' },
  day: { month: 'short', day: 'numeric' },
  dayAndTime: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  date: { dateStyle: 'medium' },
  dateAndTime: { dateStyle: 'medium', timeStyle: 'short' },
  dateAndSeconds: { dateStyle: 'medium', timeStyle: 'medium' },
  long: { dateStyle: 'long', timeStyle: 'medium' },
  offset: { timeZoneName: 'shortOffset' },
  utcDay: { month: 'short', day: 'numeric', timeZone: 'UTC' },
  utcDate: { dateStyle: 'medium', timeZone: 'UTC' },
  utcMonth: { month: 'long', year: 'numeric', timeZone: 'UTC' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<keyof typeof FORMATS, Intl.DateTimeFormat>()
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
/** British, because the American short form has a period: "22 min. ago". */
const relativeMinutes = new Intl.RelativeTimeFormat('en-GB', { style: 'short' })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** From this distance on, a date says more than a number of days. */
const RELATIVE_DAYS = 7

/** A moment as a day: "Nov 18, 2026". */
export function dayText(moment: string): string {
  return format('date').format(new Date(moment))
}

/** A moment as a day, with the year unless it is this year: "Nov 18", "Feb 1, 2027". */
export function shortDayText(moment: string, now = serverNow()): string {
  const at = new Date(moment)
  return at.getFullYear() === new Date(now).getFullYear() ? format('day').format(at) : dayText(moment)
}

/** A moment as a day and a time: "Nov 18, 2026, 09:30". */
export function momentText(moment: string): string {
  return format('dateAndTime').format(new Date(moment))
}

/** A moment as a day and a time of a time zone: "Nov 18, 2026, 09:30". */
export function zonedText(moment: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', ...FORMATS.dateAndTime, timeZone }).format(
    new Date(moment),
  )
}

/** The time zone of the browser: "Europe/Berlin". */
export function ownTimeZone(): string {
  return format('date').resolvedOptions().timeZone
}

/** The time, with the day unless it is today, and with the year unless it is this year: "09:30", "Nov 18, 09:30". */
export function timeText(moment: string, now = serverNow()): string {
  const [at, today] = [new Date(moment), new Date(now)]
  if (at.getFullYear() !== today.getFullYear()) return momentText(moment)
  return format(daysBetween(today, at) === 0 ? 'time' : 'dayAndTime').format(at)
}

/** A moment to the second, with its UTC offset: "Nov 18, 2026, 09:30:00 (UTC+1)". */
export function fullText(moment: string): string {
  const at = new Date(moment)
  return `${format('dateAndSeconds').format(at)} (${offsetText(at)})`
}

/** A moment in the long form: "November 18, 2026 at 09:30:00". */
export function longText(moment: string): string {
  return format('long').format(new Date(moment))
}

/** The time zone of all times: "Europe/Berlin (UTC+1)". */
export function zoneText(now = serverNow()): string {
  const zone = ownTimeZone()
  const offset = offsetText(new Date(now))
  return zone === offset ? zone : `${zone} (${offset})`
}

/**
 * How long ago, seen from `now` in ms: "3 days ago", "in 2 hours", "yesterday", "just now"; from a week on, the day: "Aug 20".
 * Days are those of the calendar.
 */
export function relativeText(moment: string, now = serverNow()): string {
  const at = new Date(moment)
  const distance = at.getTime() - now
  if (Math.abs(distance) < MINUTE_MS) return 'just now'
  if (Math.abs(distance) < HOUR_MS) return relativeMinutes.format(Math.trunc(distance / MINUTE_MS), 'minute')
  if (Math.abs(distance) < DAY_MS) return relative.format(Math.trunc(distance / HOUR_MS), 'hour')
  const days = daysBetween(new Date(now), at)
  return Math.abs(days) < RELATIVE_DAYS ? relative.format(days, 'day') : shortDayText(moment, now)
}

/** A UTC day, as "2026-11-18", in words: "Nov 18". */
export function utcDayText(day: string): string {
  return format('utcDay').format(new Date(day))
}

/** A UTC day, as "2026-11-18", with its year: "Nov 18, 2026". */
export function utcDateText(day: string): string {
  return format('utcDate').format(new Date(day))
}

/** UTC days, both ends included, without the year: "Nov 3", "Sep 25 – Oct 24". */
export function utcShortDaysText(from: string, to: string): string {
  return format('utcDay').formatRange(new Date(from), new Date(to))
}

/**
 * UTC days, both ends included, in words: "Jun 1 – 30, 2026 (UTC)", "since Jun 1, 2026 (UTC)"; empty without either
 * end.
 */
export function utcDaysText(from: string | undefined, to: string | undefined): string {
  const date = format('utcDate')
  if (from !== undefined && to !== undefined) return `${date.formatRange(new Date(from), new Date(to))} (UTC)`
  if (from !== undefined) return `since ${date.format(new Date(from))} (UTC)`
  return to === undefined ? '' : `until ${date.format(new Date(to))} (UTC)`
}

/** A month, as "2026-11", in words: "November 2026". */
export function monthText(month: string): string {
  return format('utcMonth').format(new Date(month))
}

/** Created when first used: a format costs about a tenth of a millisecond. */
function format(name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', { hourCycle: 'h23', ...FORMATS[name] })
  formats.set(name, made)
  return made
}

/** "UTC+1", "UTC+5:30", "UTC". */
function offsetText(at: Date): string {
  const parts = format('offset').formatToParts(at)
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return offset.replace('GMT', 'UTC').replace(/\+0$/, '')
}

/** The number of midnights between two moments: a day of a clock change has 23 or 25 hours. */
function daysBetween(from: Date, to: Date): number {
  const [first, last] = [from, to].map((day) => Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()))
  return ((last ?? 0) - (first ?? 0)) / DAY_MS
}
