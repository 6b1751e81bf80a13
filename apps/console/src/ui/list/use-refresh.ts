import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { failureText } from '#src/lib/call-error.ts'
import { timeText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { serverTime } from '#src/lib/server-clock.ts'

type Query = Pick<UseQueryResult, 'dataUpdatedAt' | 'isError' | 'refetch'>

/**
 * Refetches a list. `noun`: plural noun of the listed records, "tenants"; `onRefresh` refetches other data of the page.
 */
export function useRefresh(query: Query, noun: string, onRefresh?: () => void) {
  const [announcement, setAnnouncement] = useState('')

  async function refresh() {
    setAnnouncement('')
    onRefresh?.()
    const { error, dataUpdatedAt } = await query.refetch()
    if (error) notify('bad', failureText(error, `The ${noun} could not be refreshed.`))
    else setAnnouncement(`Refreshed ${noun}, as of ${timeText(serverTime(dataUpdatedAt))}`)
  }

  const time = fetchTime(query)
  return {
    /** "Refresh (as of 4:13)" */
    label: time === null ? 'Refresh' : `Refresh (as of ${time})`,
    announcement,
    refresh: () => void refresh(),
  }
}

/** "Not refreshed since 4:13", after a failed refetch of shown rows; otherwise undefined. */
export function notRefreshedText(query: Query): string | undefined {
  const time = fetchTime(query)
  return query.isError && time !== null ? `Not refreshed since ${time}` : undefined
}

/** Null without data, and while the rows of the previous page or search stand in for the requested ones. */
function fetchTime({ dataUpdatedAt }: Query): string | null {
  return dataUpdatedAt === 0 ? null : timeText(serverTime(dataUpdatedAt))
}
