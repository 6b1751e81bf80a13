import type { Trends } from '@switchboard/contract/dashboard/trends'
import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useId } from 'react'
import { CALL_DAYS, callDays } from '#src/dashboard/dashboard.api.ts'
import { changeText } from '#src/dashboard/change-text.ts'
import { countText } from '#src/lib/format/count.ts'
import { utcShortDaysText } from '#src/lib/format/moment.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { CallsPlot } from './calls-plot.tsx'
import css from './calls-section.module.css'

const PERIODS = CALL_DAYS.map((days) => ({ value: days, label: `${days} days` }))

const route = getRouteApi('/signed-in/')

/** The calls of all live keys by day: sums, changes, and accepted and refused calls on one time axis. */
export function CallsSection({ query }: { query: UseQueryResult<Trends> }) {
  const id = useId()
  const days = callDays(route.useSearch().days)
  const navigate = route.useNavigate()
  // The calls of the previous period stay until those of another one have loaded.
  const trends = query.data
  return (
    <section aria-labelledby={id} tabIndex={-1} className={css.card}>
      <div className={css.head}>
        <div>
          <h2 id={id} className="heading">
            Calls
          </h2>
          <p className={css.note}>{trends ? daysText(trends) : 'With live keys'}</p>
        </div>
        <SegmentedControl
          label="Period"
          options={PERIODS}
          value={days}
          onChange={(chosen) =>
            void navigate({
              search: (before) => ({ ...before, days: String(chosen) }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        {trends && <Totals trends={trends} />}
      </div>
      <Announcement>{trends && `Calls, ${daysText(trends)}`}</Announcement>
      {trends ? (
        <div className={css.content} aria-busy={query.isPlaceholderData}>
          {trends.total.accepted + trends.total.refused === 0 ? (
            <p className="note">No calls in these days.</p>
          ) : (
            <CallsPlot days={trends.days} />
          )}
        </div>
      ) : (
        <div className={css.missing}>
          {query.isError && <LoadError plain title="The calls could not be loaded" queries={[query]} />}
        </div>
      )}
    </section>
  )
}

/** "Oct 30 – Nov 28 (UTC), live keys". */
function daysText({ days }: Trends): string {
  return `${utcShortDaysText(days[0]?.day ?? '', days.at(-1)?.day ?? '')} (UTC), live keys`
}

function Totals({ trends: { days, total, before } }: { trends: Trends }) {
  return (
    <ul className={css.totals} aria-label="Totals">
      {(['accepted', 'refused'] as const).map((figure) => {
        const [count, earlier] = [total[figure], before[figure]]
        const change = changeText(count, earlier)
        const isWorse = figure === 'refused' && count > earlier
        return (
          <li key={figure} className={css[figure]}>
            <strong>{countText(count)}</strong> {figure}
            <div className={`${css.note} ${isWorse ? css.worse : ''}`}>
              {change === null ? 'none' : `${change} on`} {change === null && 'in '}the {days.length} days before
            </div>
          </li>
        )
      })}
    </ul>
  )
}
