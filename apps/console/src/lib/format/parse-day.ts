const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_LETTERS = 3

/**
 * The day that a person typed, as "2026-11-18": from "Nov 18, 2026", "nov 18", "18 November 2026" or "2026-11-18". A
 * day without a year is the last one that has begun at `now`, in ms. Null for anything else. Days are those of UTC.
 */
export function parseDay(typed: string, now: number): string | null {
  const text = typed.trim().toLowerCase()
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return existing(text)
  const [, name = '', first] = /^(?:\d{1,2} )?([a-z]+)\.?(?: (\d{1,2}))?(?:,? \d{4})?$/.exec(text) ?? []
  const day = first ?? /^(\d{1,2}) /.exec(text)?.[1]
  const month = MONTHS.indexOf(name.slice(0, MONTH_LETTERS))
  if (day === undefined || month === -1) return null
  const inYear = (year: string) => `${year}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  const year = /(?:^|\D)(\d{4})$/.exec(text)?.[1]
  if (year !== undefined) return existing(inYear(year))
  const thisYear = new Date(now).getUTCFullYear()
  const recent = existing(inYear(String(thisYear)))
  return recent !== null && Date.parse(recent) > now ? existing(inYear(String(thisYear - 1))) : recent
}

/** A day that the calendar has: not "2026-02-30". */
function existing(day: string): string | null {
  const at = new Date(day)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day ? null : day
}
