import type { Trends } from '@switchboard/contract/dashboard/trends'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { countText } from '#src/lib/format/count.ts'
import { utcShortDaysText } from '#src/lib/format/moment.ts'
import { changeText, type TrendFigure } from './trend-bars.ts'
import { TrendChart } from './trend-chart.tsx'
import css from './trend-card.module.css'

type Props = {
  trends: Trends
  figure: TrendFigure
  label: string
  /** The list of the counted records. */
  list?: '/users' | '/tenants'
  /** Fewer are better. */
  isBad?: boolean
}

/** A figure of a range of days: the number, its change against the equal period before, and a chart. */
export function TrendCard({ trends, figure, label, list, isBad = false }: Props) {
  const id = useId()
  const { from, to, total } = trends
  const count = countText(total[figure])
  return (
    <div className={css.card}>
      <h3 id={`${id}-label`} className={css.label}>
        {label}
      </h3>
      {list ? (
        <Link
          id={`${id}-count`}
          to={list}
          search={{ created_from: from, created_to: to }}
          className={`${css.count} ${css.link}`}
          aria-labelledby={`${id}-label ${id}-count`}
        >
          {count}
        </Link>
      ) : (
        <p className={css.count}>{count}</p>
      )}
      <Change trends={trends} figure={figure} isBad={isBad} />
      <TrendChart days={trends.days} figure={figure} isBad={isBad} />
    </div>
  )
}

function Change({ trends: { total, before }, figure, isBad }: { trends: Trends; figure: TrendFigure; isBad: boolean }) {
  const [count, countBefore] = [total[figure], before.total[figure]]
  const change = changeText(count, countBefore)
  const days = utcShortDaysText(before.from, before.to)
  if (change === null) {
    const hasData = Object.values(before.total).some((other) => other > 0)
    return <p className={css.change}>{hasData ? `none in ${days}` : 'no data before'}</p>
  }
  const isRise = count > countBefore
  const tone = count === countBefore ? css.same : isRise === isBad ? css.worse : css.better
  return (
    <p className={css.change}>
      <span className={`${css.percent} ${tone}`}>{change}</span> against {days}
    </p>
  )
}
