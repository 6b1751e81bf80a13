import { useNavigate } from '@tanstack/react-router'

/** Search parameters of every list; all others are filters. */
export type ListParams = {
  q?: string | undefined
  sort: string
  limit: number
  cursor?: string | undefined
  [filter: string]: string | number | boolean | readonly string[] | undefined
}

const NOT_FILTERS = new Set(['sort', 'limit', 'cursor'])

/** Changes the search parameters of a list and returns to its first page. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the caller's filters
export function useChangeList<List extends object = ListParams>() {
  const navigate = useNavigate()
  return (change: { [Name in keyof List]?: string | undefined }, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, cursor: undefined, ...change }),
      replace,
      resetScroll: false,
    })
}

/** The filters and the order of a list. */
export function withoutPage<List extends { limit?: number | undefined; cursor?: string | undefined }>(
  list: List,
): Omit<List, 'limit' | 'cursor'> {
  const { limit: _limit, cursor: _cursor, ...rest } = list
  return rest
}

/** The names of the filters that are set, the search included. */
export function filtersOf(list: ListParams): string[] {
  return Object.keys(list).filter((name) => !NOT_FILTERS.has(name) && list[name] !== undefined)
}
