import type { Trends } from '@switchboard/contract/dashboard/trends'
import { countText, shortCountText } from '#src/lib/format/count.ts'
import { utcDayText } from '#src/lib/format/moment.ts'
import { HiddenTable } from '#src/ui/page/hidden-table.tsx'
import { scaleOf } from '#src/ui/page/scale.ts'
import css from './calls-plot.module.css'

type Days = Trends['days']

/**
 * Accepted and refused calls above each other on one time axis, each with its own scale. Today is not over yet. Hidden
 * from screen readers, which have the table.
 */
export function CallsPlot({ days }: { days: Days }) {
  const accepted = scaleOf(Math.max(...days.map((day) => day.accepted)))
  const refused = scaleOf(Math.max(...days.map((day) => day.refused)))
  const percent = (count: number, scale: number[]) => `${(100 * count) / (scale.at(-1) ?? 1)}%`
  return (
    <>
      <div className={css.plot} aria-hidden>
        <Scale marks={accepted} row={css.first} />
        <Scale marks={refused} row={css.second} />
        <div className={css.days}>
          {days.map((day) => (
            <div key={day.day} className={css.day} data-tooltip={tooltipText(day)}>
              <span className={css.accepted} style={{ height: percent(day.accepted, accepted) }} />
              <span className={css.refused} style={{ height: percent(day.refused, refused) }} />
            </div>
          ))}
        </div>
        <div className={css.axis}>
          {days.map(({ day }, at) => (
            <span key={day}>{labelOf(days, at)}</span>
          ))}
        </div>
      </div>
      <HiddenTable
        caption={`Calls of ${days.length} days`}
        head={['Day', 'Accepted', 'Refused']}
        rows={days.map(({ day, accepted: good, refused: bad }) => ({ id: day, cells: [utcDayText(day), good, bad] }))}
      />
    </>
  )
}

/** The marks of an axis with their lines. */
function Scale({ marks, row }: { marks: number[]; row: string | undefined }) {
  return (
    <>
      <div className={`${css.scale} ${row}`}>
        {marks.toReversed().map((mark) => (
          <span key={mark}>{shortCountText(mark)}</span>
        ))}
      </div>
      <div className={`${css.lines} ${row}`} style={{ '--steps': marks.length - 1 }} />
    </>
  )
}

/** "Nov 18: 5,000 accepted, 30 refused". */
function tooltipText({ day, accepted, refused }: Days[number]): string {
  return `${utcDayText(day)}: ${countText(accepted)} accepted, ${countText(refused)} refused`
}

/** Each second day of a week, each Monday of 30 days, the first of each month; with enough space before "Today". */
function labelOf(days: Days, at: number): string | null {
  const { length } = days
  const day = days[at]?.day ?? ''
  if (at === length - 1) return 'Today'
  if (length - at < length / 5) return null
  const isLabeled = length <= 7 ? at % 2 === 0 : length <= 31 ? new Date(day).getUTCDay() === 1 : day.endsWith('-01')
  return isLabeled ? utcDayText(day) : null
}
