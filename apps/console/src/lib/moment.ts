// The screens are English, whatever the language of the browser; the time zone is the reader's own.
const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const dateAndTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })
const utcDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
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

/** A moment to the second, in the reader's time zone: "November 18, 2026 at 9:30:00 AM UTC". */
export function fullText(moment: string): string {
  return full.format(new Date(moment))
}

/** How long ago, seen from `now` in ms: "3 days ago", "in 2 hours", "just now". */
export function relativeText(moment: string, now = Date.now()): string {
  const seconds = (Date.parse(moment) - now) / 1_000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? relative.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now'
}
