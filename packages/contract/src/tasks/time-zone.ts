import * as z from 'zod/mini'
import { DAY_MS } from '#src/wire/days.ts'
import { text } from '#src/wire/text.ts'

const ZONE_MAX = 64

/** A time zone of the IANA database: "Europe/Berlin", "UTC". */
export const timeZone = text(ZONE_MAX).check(
  z.refine(isTimeZone, 'Choose a time zone of the IANA database, such as Europe/Berlin.'),
)

/** Milliseconds to add to UTC for the wall clock of a zone at a moment, in ms. */
function offsetAt(zone: string, moment: number): number {
  const name = formatOf(zone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes, seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? []
  const ms = (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -ms : ms
}

/** The wall clock of a zone at a moment: a Date whose UTC fields are the day and the time there. */
export function wallClockAt(zone: string, moment: number): Date {
  return new Date(moment + offsetAt(zone, moment))
}

/**
 * The moment, in ms, at which the wall clock of a zone shows a day and a time (the UTC fields of `wall`). A time that a
 * change of the clocks repeats is the first of both; a time that it skips is later by the skipped part: 02:30 becomes 03:30.
 */
export function momentOf(zone: string, wall: Date): number {
  const at = wall.getTime()
  const [before, after] = [offsetAt(zone, at - DAY_MS), offsetAt(zone, at + DAY_MS)]
  const isAfterChange = offsetAt(zone, at - before) !== before && offsetAt(zone, at - after) === after
  return at - (isAfterChange ? after : before)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formats.set(zone, format)
  return format
}

/** By name: an engine may also know offsets such as "+01:00". */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}
