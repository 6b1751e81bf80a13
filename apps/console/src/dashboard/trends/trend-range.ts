import { type DayRange, lastDays, rangeProblem, TREND_DAYS_DEFAULT } from '@switchboard/contract/dashboard/trends'
import { day } from '@switchboard/contract/wire/lists'

/** Lengths of the offered ranges that end today. */
export const TREND_PRESETS = [7, TREND_DAYS_DEFAULT, 90]

/** The search parameters of the dashboard that choose a range. */
export type TrendsSearch = { [Name in 'days' | 'from' | 'to']?: string | undefined }
/** `preset` is the number of days of an offered range, null for chosen days. */
export type ChosenRange = DayRange & { preset: number | null }

/** The range in the URL; the default range for a URL without a valid one. `today` is a day of UTC. */
export function chosenRange({ days, from = '', to = '' }: TrendsSearch, today: string): ChosenRange {
  if (isValidRange({ from, to })) return { from, to, preset: null }
  const preset = TREND_PRESETS.find((count) => String(count) === days) ?? TREND_DAYS_DEFAULT
  return { ...lastDays(today, preset), preset }
}

export function isValidRange(range: DayRange): boolean {
  const areDays = day.safeParse(range.from).success && day.safeParse(range.to).success
  return areDays && rangeProblem(range) === null
}
