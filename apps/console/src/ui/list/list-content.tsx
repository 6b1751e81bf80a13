import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '#src/lib/call-error.ts'
import type { ListPage } from '#src/lib/call.ts'
import { useChangeList } from '#src/lib/list-address.ts'
import { Announcement } from '#src/ui/page/announcement.tsx'
import { ErrorState } from '#src/ui/page/empty-state.tsx'

type Props = {
  query: UseQueryResult<ListPage<readonly unknown[]>>
  /** What is listed: "tenants". */
  noun: string
  /** What readers hear when rows have come: "312 tenants". */
  total: string | undefined
  /** In place of the list when it has no rows. */
  empty: ReactNode
  children: ReactNode
}

/** A list, or why there is none. Readers hear when it loads and what has come. */
export function ListContent({ query, noun, total, empty, children }: Props) {
  const change = useChangeList()
  const hasCursor = useLocation({ select: ({ search }) => 'cursor' in search })
  return (
    <>
      {/* Not when it only looks for changes. */}
      <Announcement>{query.isPending || query.isPlaceholderData ? `Loading ${noun}...` : total}</Announcement>
      {query.isLoadingError ? (
        <ErrorState
          title={`The ${noun} could not be loaded`}
          message={messageOf(query.error, 'An error occurred')}
          // A cursor that is not one of this list stays wrong however often it is sent.
          {...(hasCursor && isRefused(query.error)
            ? { retryLabel: 'Show the first page', onRetry: () => change({}) }
            : { onRetry: () => void query.refetch() })}
        />
      ) : query.data?.rows.length === 0 ? (
        empty
      ) : (
        children
      )}
    </>
  )
}

function isRefused(error: Error): boolean {
  return error instanceof CallError && error.status === 422
}
