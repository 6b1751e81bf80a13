import { DAY_MS, dayOf } from '@switchboard/contract/wire/days'
import { use } from 'react'
import { serverNow } from '#src/lib/server-clock.ts'
import fieldCss from '#src/ui/field/field.module.css'
import css from './day-filter.module.css'
import { FilterView } from './filter-view.ts'

type Days = { from: string | undefined; to: string | undefined }

/** A button that filters by the last seven days of UTC, today included, or no longer filters by days. */
export function WeekFilter({ from, to, onChange }: Days & { onChange: (days: Days) => void }) {
  const isSet = from === firstDayOfWeek() && to === undefined
  // The days have separate chips.
  if (use(FilterView) === 'chips') return null
  return (
    <button
      type="button"
      aria-pressed={isSet}
      className={`${fieldCss.input} ${css.week} ${isSet ? css.set : ''}`}
      onClick={() => onChange({ from: isSet ? undefined : firstDayOfWeek(), to: undefined })}
    >
      Last 7 days
    </button>
  )
}

function firstDayOfWeek(): string {
  return dayOf(serverNow() - 6 * DAY_MS)
}
