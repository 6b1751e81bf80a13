import type { Trends } from '@switchboard/contract/dashboard/trends'
import { countText } from '#src/lib/format/count.ts'
import { utcDayText, utcShortDaysText } from '#src/lib/format/moment.ts'
import { BarChart } from '#src/ui/page/bar-chart.tsx'
import { type TrendBar, trendBars, type TrendFigure } from './trend-bars.ts'

type Props = { days: Trends['days']; figure: TrendFigure; isBad: boolean }

/** A bar per day, or per week of a long range, between zero and the highest bar. */
export function TrendChart({ days, figure, isBad }: Props) {
  const bars = trendBars(days, figure)
  const most = Math.max(...bars.map(({ count }) => count))
  const [first] = bars
  const last = bars.at(-1)
  return (
    <BarChart
      label={chartText(bars, most)}
      bars={bars.map((bar) => ({ id: bar.to, value: bar.count, text: `${barDays(bar)}: ${countText(bar.count)}` }))}
      top={most}
      topText={most > 0 ? countText(most) : ''}
      first={first && utcDayText(first.from)}
      last={last && first !== last ? utcDayText(last.to) : undefined}
      isBad={isBad}
    />
  )
}

/** "By day: 0 to 12, most on Nov 3". */
function chartText(bars: TrendBar[], most: number): string {
  const per = bars.some(({ from, to }) => from !== to) ? 'week' : 'day'
  const highest = bars.find(({ count }) => count === most)
  if (most === 0 || highest === undefined) return `By ${per}: 0`
  const least = Math.min(...bars.map(({ count }) => count))
  return `By ${per}: ${countText(least)} to ${countText(most)}, most on ${barDays(highest)}`
}

function barDays({ from, to }: TrendBar): string {
  return utcShortDaysText(from, to)
}
