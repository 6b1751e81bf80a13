import type { Trends } from '@switchboard/contract/dashboard/trends'

/** Above this number of days, a bar is a week. */
const DAILY_DAYS_MAX = 60
const WEEK_DAYS = 7

export type TrendFigure = keyof Trends['total']
/** A bar of a chart: the sum of one day, or of up to seven days. */
export type TrendBar = { from: string; to: string; count: number }

/** The bars of a figure, oldest first. Weeks end with the last day, so only the first week can be shorter. */
export function trendBars(days: Trends['days'], figure: TrendFigure): TrendBar[] {
  const size = days.length > DAILY_DAYS_MAX ? WEEK_DAYS : 1
  const short = days.length % size
  const bars: TrendBar[] = []
  for (let end = short === 0 ? size : short; end <= days.length; end += size) {
    const part = days.slice(Math.max(0, end - size), end)
    const [first] = part
    const last = part.at(-1)
    if (first && last)
      bars.push({ from: first.day, to: last.day, count: part.reduce((sum, day) => sum + day[figure], 0) })
  }
  return bars
}

/** The change of a figure in percent: "+12%", "−8%", "+0.4%"; null without a base. */
export function changeText(count: number, before: number): string | null {
  if (before === 0) return null
  const percent = (100 * (count - before)) / before
  const size = Math.abs(percent)
  if (size === 0) return '±0%'
  const text = size < 1 ? Math.max(size, 0.1).toFixed(1) : Math.round(size).toLocaleString('en-US')
  return `${percent > 0 ? '+' : '−'}${text}%`
}
