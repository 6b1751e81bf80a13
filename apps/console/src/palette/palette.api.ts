import { search } from '@switchboard/contract/palette'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** Search results. The term may be a pasted secret, so the cache drops results that are no longer shown. */
export function searchQuery(term: string) {
  return queryOptions({
    queryKey: ['search', term],
    queryFn: term === '' ? skipToken : ({ signal }) => call(search, { body: { q: term }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}
