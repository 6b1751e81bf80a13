import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { filtersOf, type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { EmptyState } from '#src/ui/page/empty-state.tsx'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'

type Props = {
  list: ListParams
  /** Plural noun of the list: "tenants". */
  noun: string
  searchHelp: string
  /** Content of an empty list without filters: title, help and action. */
  title: string
  help: string
  action?: ReactNode
}

/** The empty state of a list: no matches, a page that no longer exists, or no records. */
export function EmptyList({ list, noun, searchHelp, title, help, action }: Props) {
  const change = useChangeList()
  const filters = filtersOf(list)
  if (filters.length > 0) {
    const cleared = Object.fromEntries(filters.map((name) => [name, undefined]))
    return (
      <EmptyState
        title={`No ${noun} match.`}
        help={searchHelp}
        action={
          <Button
            variant="default"
            onClick={() => {
              focusTitle()
              change(cleared)
            }}
          >
            Clear Filters
          </Button>
        }
      />
    )
  }
  if (list.cursor !== undefined) {
    return (
      <EmptyState
        title={`There are no ${noun} on this page any more.`}
        action={
          <Button variant="default" onClick={() => change({})}>
            First Page
          </Button>
        }
      />
    )
  }
  return <EmptyState title={title} help={help} action={action} />
}
