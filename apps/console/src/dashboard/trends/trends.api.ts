import { getTrends } from '@switchboard/contract/dashboard'
import { dayOf } from '@switchboard/contract/wire/days'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { serverNow } from '#src/lib/server-clock.ts'
import { type ChosenRange, chosenRange, type TrendsSearch } from './trend-range.ts'

export type { TrendsSearch }

/** The range in the search parameters of the dashboard, seen from today. */
export function currentRange(search: TrendsSearch): ChosenRange {
  return chosenRange(search, dayOf(serverNow()))
}

/** The trends of the range in the search parameters of the dashboard. */
export function trendsQuery(search: TrendsSearch) {
  const { from, to } = currentRange(search)
  return queryOptions({
    queryKey: ['trends', from, to],
    queryFn: ({ signal }) => call(getTrends, { query: { from, to }, signal }),
  })
}
