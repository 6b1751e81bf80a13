// The screens are English in every browser; the time zone is the local one.
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const dateAndTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const utcDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const utcMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const utc = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
})
const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'long' })
const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

const UNITS = [
  ['year', 365 * 24 * 3_600],
  ['month', 30 * 24 * 3_600],
  ['day', 24 * 3_600],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** A moment as a day: "Nov 18, 2026". */
export function dayText(moment: string): string {
  return date.format(new Date(moment))
}

/** A moment as a day and a time, in the reader's time zone: "Nov 18, 2026, 9:30 AM". */
export function momentText(moment: string): string {
  return dateAndTime.format(new Date(moment))
}

/** A day of UTC, as "2026-11-18", in words: "Nov 18". */
export function utcDayText(day: string): string {
  return utcDay.format(new Date(day))
}

/** Days of UTC, both ends among them, in words: "Jun 1 – 30, 2026", "since Jun 1, 2026"; empty without either end. */
export function utcDaysText(from: string | undefined, to: string | undefined): string {
  if (from !== undefined && to !== undefined) return utcDate.formatRange(new Date(from), new Date(to))
  if (from !== undefined) return `since ${utcDate.format(new Date(from))}`
  return to === undefined ? '' : `until ${utcDate.format(new Date(to))}`
}

/** A month, as "2026-11", in words: "November 2026". */
export function monthText(month: string): string {
  return utcMonth.format(new Date(month))
}

/** A moment in UTC to the second: "Nov 18, 2026, 09:30:00". */
export function utcText(moment: string): string {
  return utc.format(new Date(moment))
}

/** The time of day of a moment, in the reader's time zone: "14:05". */
export function timeText(moment: string): string {
  return time.format(new Date(moment))
}

/** A moment to the second, in the reader's time zone: "November 18, 2026 at 9:30:00 AM UTC". */
export function fullText(moment: string): string {
  return full.format(new Date(moment))
}

/** How long ago, seen from `now` in ms: "3 days ago", "in 2 hours", "just now". */
export function relativeText(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1_000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? relative.format(Math.round(seconds / unit[1]), unit[0]) : 'just now'
}

/** Remaining time in the largest fitting unit: "6 d", "3 h", "45 min". */
export function leftText(leftMs: number): string {
  const minutes = Math.max(1, Math.floor(leftMs / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`
}
