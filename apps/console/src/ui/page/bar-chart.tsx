import css from './bar-chart.module.css'

type ChartBar = {
  id: string
  /** Null without data: no bar. */
  value: number | null
  text: string
}

type Props = {
  /** Accessible summary of the chart. */
  label: string
  bars: readonly ChartBar[]
  /** The value of a full bar, and its text above the chart. */
  top: number
  topText: string
  /** Texts under the first and the last bar. */
  first: string | undefined
  last: string | undefined
}

/** Bars between zero and a highest value. */
export function BarChart({ label, bars, top, topText, first, last }: Props) {
  return (
    <figure aria-label={label} className={css.chart}>
      <div className={css.most} aria-hidden>
        {topText}
      </div>
      <div className={css.plot}>
        {bars.map(({ id, value, text }) => (
          <span key={id} className={css.column} data-tooltip={text}>
            <span className={css.bar} style={{ height: `${top === 0 ? 0 : (100 * (value ?? 0)) / top}%` }} />
          </span>
        ))}
      </div>
      <div className={css.axis} aria-hidden>
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </figure>
  )
}
