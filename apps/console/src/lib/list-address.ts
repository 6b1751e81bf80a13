import { useNavigate } from '@tanstack/react-router'

/** What every list has in its address; the names besides are its filters. */
export type ListAddress = {
  q?: string | undefined
  sort: string
  limit: number
  cursor?: string | undefined
  [filter: string]: string | number | boolean | undefined
}

const NOT_FILTERS = new Set(['sort', 'limit', 'cursor'])

/** Changes what a list shows, in the address, from the first page on. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- it names the filters that the caller has
export function useChangeList<List extends object = ListAddress>() {
  const navigate = useNavigate()
  return (change: { [Name in keyof List]?: string | undefined }, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, cursor: undefined, ...change }),
      replace,
      resetScroll: false,
    })
}

/** What a list shows on all of its pages together. */
export function wholeList<List extends Pick<ListAddress, 'limit' | 'cursor'>>(
  list: List,
): Omit<List, 'limit' | 'cursor'> {
  const { limit: _limit, cursor: _cursor, ...whole } = list
  return whole
}

/** The names of what narrows the list: the search and the filters that are set. */
export function filtersOf(list: ListAddress): string[] {
  return Object.keys(list).filter((name) => !NOT_FILTERS.has(name) && list[name] !== undefined)
}
