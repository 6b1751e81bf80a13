import { search } from '@switchboard/contract/palette'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'

/** What a term finds. It may be a secret that somebody pasted, so nothing of it is kept once it is not shown. */
export function searchQuery(term: string) {
  return queryOptions({
    queryKey: ['search', term],
    queryFn: term === '' ? skipToken : ({ signal }) => call(search, { body: { q: term }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
}
