import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { fullText, timeText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { serverTime } from '#src/lib/server-clock.ts'
import css from './refresh-button.module.css'

type Query = Pick<UseQueryResult, 'dataUpdatedAt' | 'isError' | 'isFetching' | 'refetch'>

export type Refresh = ReturnType<typeof useRefresh>

/**
 * Refetches a list. `noun`: plural noun of the listed records, "tenants"; `onRefresh` refetches other data of the page.
 */
export function useRefresh(query: Query, noun: string, onRefresh?: () => void) {
  const [announcement, setAnnouncement] = useState('')
  // 0 without data, and while the rows of the previous page or search stand in for the requested ones.
  const at = query.dataUpdatedAt === 0 ? null : serverTime(query.dataUpdatedAt)

  async function refresh() {
    setAnnouncement('')
    onRefresh?.()
    const { error, dataUpdatedAt } = await query.refetch()
    if (error) notify('bad', messageOf(error, `The ${noun} could not be refreshed.`))
    else setAnnouncement(`Refreshed ${noun}, as of ${timeText(serverTime(dataUpdatedAt))}`)
  }

  return {
    label: `Refresh ${noun}`,
    at,
    /** "As of 4:13", or that the last fetch failed. */
    asOf: at === null ? null : `${query.isError ? 'Not refreshed since' : 'As of'} ${timeText(at)}`,
    isBusy: query.isFetching,
    announcement,
    refresh: () => void refresh(),
  }
}

/** Time of the last fetch, with a button to refetch the list. */
export function RefreshButton({ label, at, asOf, isBusy, refresh }: Refresh) {
  return (
    <div className={css.refresh}>
      {at !== null && (
        <span className={css.asOf} data-tooltip={fullText(at)}>
          {asOf}
        </span>
      )}
      <ActionIcon
        variant="default"
        size={32}
        aria-label={label}
        data-tooltip={at === null ? label : `${label}: as of ${fullText(at)}`}
        // Not `loading`: a loading button is disabled, and a disabled button loses the focus.
        aria-busy={isBusy}
        className={css.button}
        onClick={refresh}
      >
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
