import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import { fullText, timeText } from '#src/lib/format/moment.ts'
import { notify } from '#src/lib/notify.ts'
import { Announcement } from '#src/ui/page/announcement.tsx'
import css from './refresh-button.module.css'

type Props = {
  query: Pick<UseQueryResult, 'data' | 'dataUpdatedAt' | 'isError' | 'isFetching' | 'refetch'>
  /** Plural noun of the listed records: "tenants". */
  noun: string
  /** Refetches other data of the page. */
  onRefresh?: () => void
}

/** Time of the last fetch, with a button to refetch the list. */
export function RefreshButton({ query, noun, onRefresh }: Props) {
  const [announcement, setAnnouncement] = useState('')
  const at = query.data === undefined ? null : new Date(query.dataUpdatedAt).toISOString()

  async function refresh() {
    setAnnouncement('')
    onRefresh?.()
    const { error, dataUpdatedAt } = await query.refetch()
    if (error) notify('bad', messageOf(error, `The ${noun} could not be refreshed.`))
    else setAnnouncement(`Refreshed ${noun}, as of ${timeText(new Date(dataUpdatedAt).toISOString())}`)
  }

  return (
    <div className={css.refresh}>
      <Announcement>{announcement}</Announcement>
      {at !== null && (
        <span className={css.asOf} data-tooltip={fullText(at)}>
          {query.isError ? 'Not refreshed since' : 'As of'} {timeText(at)}
        </span>
      )}
      <ActionIcon
        variant="default"
        size={36}
        aria-label={`Refresh ${noun}`}
        data-tooltip={at === null ? `Refresh ${noun}` : `Refresh ${noun}: as of ${fullText(at)}`}
        // Not `loading`: a loading button is disabled, and a disabled button loses the focus.
        aria-busy={query.isFetching}
        className={css.button}
        onClick={() => void refresh()}
      >
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
