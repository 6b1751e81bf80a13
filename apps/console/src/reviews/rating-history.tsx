import { REVIEW_RETENTION_DAYS } from '@switchboard/contract/reviews'
import type { RatedPlace, RatingHistory as HistoryOfPlaces } from '@switchboard/contract/reviews/rating-history'
import { placeLabel } from '@switchboard/contract/tasks/task-name'
import { DAY_MS, dayOf } from '@switchboard/contract/wire/days'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, countText } from '#src/lib/format/count.ts'
import { utcDayText } from '#src/lib/format/moment.ts'
import { Select } from '#src/ui/field/select.tsx'
import { BarChart } from '#src/ui/page/bar-chart.tsx'
import { Section } from '#src/ui/card/section.tsx'
import { LoadError } from '#src/ui/page/empty-state.tsx'
import { PlaceSource } from './place-source.tsx'
import css from './rating-history.module.css'
import { Stars } from './stars.tsx'
import { ratingHistoryQuery } from './tenant-reviews.api.ts'

const TITLE = 'Rating history'
const STARS_MAX = 5

type Props = {
  tenantId: string
  /** The place that is shown first. */
  taskId?: string | undefined
  /** Hides the choice of other places. */
  isPlaceFixed?: boolean
}
type Shown = NonNullable<HistoryOfPlaces['shown']>

/** The rating and the number of ratings of a place over time, with a choice of the tenant's places. Nothing without any. */
export function RatingHistory({ tenantId, taskId, isPlaceFixed = false }: Props) {
  const [chosen, setChosen] = useState(taskId)
  const query = useQuery({ ...ratingHistoryQuery(tenantId, chosen), placeholderData: keepPreviousData })
  if (query.data?.shown === null && (isPlaceFixed || query.data.places.length === 0)) return null
  return (
    <Section title={TITLE}>
      {query.isLoadingError ? (
        <LoadError plain title="The ratings could not be loaded" queries={[query]} />
      ) : query.data === undefined ? (
        <div className={css.loading} aria-hidden />
      ) : (
        <>
          {!isPlaceFixed && <PlaceChoice history={query.data} chosen={chosen} onChoose={setChosen} />}
          <History shown={query.data.shown} />
        </>
      )}
    </Section>
  )
}

type PlaceChoiceProps = { history: HistoryOfPlaces; chosen: string | undefined; onChoose: (taskId: string) => void }

function PlaceChoice({ history: { places, shown }, chosen, onChoose }: PlaceChoiceProps) {
  if (places.length <= 1) return shown && <p dir="auto">{placeLabel(shown)}</p>
  return (
    <Select
      aria-label="Place of the history"
      value={chosen ?? shown?.task_id ?? ''}
      options={placeOptions(places)}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}

function History({ shown }: { shown: Shown | null }) {
  return (
    <>
      {shown === null || shown.rating === null ? (
        <p className="note">Google has no rating of this place yet.</p>
      ) : (
        <Ratings shown={shown} rating={shown.rating} />
      )}
      {shown && <PlaceSource place={shown} about={`One value a day (UTC), kept for ${REVIEW_RETENTION_DAYS} days.`} />}
    </>
  )
}

/** The places by name, as options of a select. */
export function placeOptions(places: readonly RatedPlace[]) {
  return places
    .map((place) => ({ value: place.task_id, label: placeLabel(place) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

function Ratings({ shown: { user_rating_count: count, from, to, days }, rating }: { shown: Shown; rating: number }) {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const axis = daysBetween(from, to)
  const most = Math.max(...days.map(({ user_rating_count }) => user_rating_count))
  const ends = { first: utcDayText(from), last: utcDayText(to) }
  return (
    <>
      <p className={css.now}>
        <Stars rating={rating} />
        {count !== null && <span>from {counted(count, 'rating')}</span>}
        {change(days)}
      </p>
      {days.length === 0 && <p className="note">No successful run in these {REVIEW_RETENTION_DAYS} days.</p>}
      <div className={css.charts}>
        {hasChanged(days.map((day) => day.rating)) && (
          <div>
            <h3 className="figure-label">Rating</h3>
            <BarChart
              {...ends}
              label={rangeText(days.map((day) => day.rating.toFixed(1)))}
              bars={axis.map((day) => barOf(day, byDay.get(day)?.rating, (value) => value.toFixed(1)))}
              top={STARS_MAX}
              topText={String(STARS_MAX)}
            />
          </div>
        )}
        {hasChanged(days.map((day) => day.user_rating_count)) && (
          <div>
            <h3 className="figure-label">Number of ratings</h3>
            <BarChart
              {...ends}
              label={rangeText(days.map((day) => countText(day.user_rating_count)))}
              bars={axis.map((day) => barOf(day, byDay.get(day)?.user_rating_count, countText))}
              top={most}
              topText={countText(most)}
            />
          </div>
        )}
      </div>
    </>
  )
}

/** Bars of a constant would say nothing. */
function hasChanged(values: readonly number[]): boolean {
  return new Set(values).size > 1
}

/** "12 more than on Oct 26", "unchanged since Oct 26" */
function change(days: Shown['days']) {
  const [first] = days
  const last = days.at(-1)
  if (first === undefined || last === undefined || first === last) return null
  const more = last.user_rating_count - first.user_rating_count
  if (more === 0 && !hasChanged(days.map((day) => day.rating)))
    return <span>unchanged since {utcDayText(first.day)}</span>
  const text = more === 0 ? 'as many as' : `${countText(Math.abs(more))} ${more > 0 ? 'more' : 'fewer'} than`
  return (
    <span>
      {text} on {utcDayText(first.day)}
    </span>
  )
}

function barOf(day: string, value: number | undefined, textOf: (value: number) => string) {
  const text = value === undefined ? 'no run' : textOf(value)
  return { id: day, value: value ?? null, text: `${utcDayText(day)}: ${text}` }
}

/** "3 days with a run, from 4.5 to 4.6" */
function rangeText(values: readonly string[]): string {
  return `${counted(values.length, 'day')} with a run, from ${values[0]} to ${values.at(-1)}`
}

function daysBetween(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return Array.from({ length: count }, (_, n) => dayOf(Date.parse(from) + n * DAY_MS))
}
