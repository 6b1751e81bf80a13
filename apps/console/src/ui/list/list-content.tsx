import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Fragment, type ReactNode, useState } from 'react'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import type { ListPage } from '#src/lib/call.ts'
import { useChangeList } from '#src/lists/list-params.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { ErrorState } from '#src/ui/page/empty-state.tsx'

type Props = {
  query: UseQueryResult<ListPage<readonly unknown[]>>
  /** The searched text of `query`. Rows of another search are new elements, so that none seems to jump. */
  search?: string | undefined
  /** Plural noun of the list: "tenants". */
  noun: string
  /** Screen reader announcement of loaded rows: "312 tenants". */
  total: string | undefined
  /** Content without rows. */
  empty: ReactNode
  /** Shown below the list, its error and its empty state. */
  below?: ReactNode
  children: ReactNode
}

/** A list, its error or its empty state. Screen readers announce the start and the result of a load. */
export function ListContent({ query, search, noun, total, empty, below, children }: Props) {
  const change = useChangeList()
  const hasCursor = useLocation({ select: (location) => 'cursor' in location.search })
  const [shownSearch, setShownSearch] = useState(search)
  if (!query.isPlaceholderData && shownSearch !== search) setShownSearch(search)
  return (
    <>
      {/* Silent during a background refetch. */}
      <Announcement>{query.isPending || query.isPlaceholderData ? `Loading ${noun}...` : total}</Announcement>
      <Fragment key={shownSearch}>
        {query.isLoadingError ? (
          <ErrorState
            title={`The ${noun} could not be loaded`}
            message={messageOf(query.error, 'An error occurred')}
            // An invalid cursor stays invalid: a retry would not help.
            {...(hasCursor && isRefused(query.error)
              ? { retryLabel: 'Show the First Page', onRetry: () => change({}) }
              : { onRetry: () => void query.refetch() })}
          />
        ) : query.data?.rows.length === 0 ? (
          empty
        ) : (
          children
        )}
        {!query.isPending && below}
      </Fragment>
    </>
  )
}

function isRefused(error: Error): boolean {
  return error instanceof CallError && error.status === 422
}
