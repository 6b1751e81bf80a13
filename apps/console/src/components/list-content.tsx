import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '#src/lib/call-error.ts'
import type { ListPage } from '#src/lib/call.ts'
import { Announcement } from './announcement.tsx'
import { ErrorState } from './empty-state.tsx'

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
  return (
    <>
      {/* Not when it only looks for changes. */}
      <Announcement>{query.isPending || query.isPlaceholderData ? `Loading ${noun}...` : total}</Announcement>
      {query.isError ? (
        <ErrorState
          title={`The ${noun} could not be loaded`}
          message={messageOf(query.error, 'An error occurred')}
          onRetry={() => void query.refetch()}
        />
      ) : query.data?.rows.length === 0 ? (
        empty
      ) : (
        children
      )}
    </>
  )
}
