import type { Trends } from '@switchboard/contract/dashboard/trends'
import type { UseQueryResult } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { utcDaysText } from '#src/lib/format/moment.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { RangeControl } from './range-control.tsx'
import { TrendCard } from './trend-card.tsx'
import { currentRange } from './trends.api.ts'
import css from './trends-section.module.css'

const route = getRouteApi('/signed-in/')

/** New records and checks of API keys in a range of days, compared with the equal period before. */
export function TrendsSection({ query }: { query: UseQueryResult<Trends> }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = currentRange(search)
  const trends = query.data
  // Figures stay until those of another range have loaded.
  const shown = trends ?? range

  return (
    <Section
      title="Trends"
      action={
        <RangeControl
          range={range}
          onChange={({ replace = false, ...chosen }) =>
            void navigate({ search: { growth: search.growth, ...chosen }, replace, resetScroll: false })
          }
        />
      }
    >
      <p className={css.days}>{utcDaysText(shown.from, shown.to)}</p>
      <Announcement>{trends && `Trends of ${utcDaysText(trends.from, trends.to)}`}</Announcement>
      {trends !== undefined ? (
        <div className={css.cards} aria-busy={query.isPlaceholderData}>
          <TrendCard trends={trends} figure="users" label="New users" list="/users" />
          <TrendCard trends={trends} figure="tenants" label="New tenants" list="/tenants" />
          <TrendCard trends={trends} figure="accepted" label="Accepted live checks" />
          <TrendCard trends={trends} figure="refused" label="Refused live checks" isBad />
        </div>
      ) : (
        <div className={css.missing}>
          {query.isError && <LoadError plain title="The trends could not be loaded" queries={[query]} />}
        </div>
      )}
    </Section>
  )
}
