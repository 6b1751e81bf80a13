import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { fullText } from '#src/lib/format/moment.ts'
import css from './refresh-all.module.css'

type Props = {
  state: string
  /** Time of the oldest shown data. */
  at: string | null
  queries: UseQueryResult[]
  onRefresh: () => void
}

/** The time of the figures, with a button to refetch all of them. */
export function RefreshAll({ state, at, queries, onRefresh }: Props) {
  return (
    <div className="refresh">
      <span className={css.asOf} data-tooltip={at === null ? '' : fullText(at)}>
        {state}
      </span>
      <ActionIcon
        variant="default"
        aria-label="Refresh"
        data-tooltip="Refresh"
        // Not `loading`: a loading button is disabled and loses the focus.
        aria-busy={at !== null && queries.some(({ isFetching }) => isFetching)}
        className="turning"
        onClick={onRefresh}
      >
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}
