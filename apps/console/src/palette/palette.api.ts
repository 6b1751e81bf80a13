import { readRecords, type Records, search } from '@switchboard/contract/palette'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { forget, isRecordId } from './recent.ts'

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

/** The records used last, read at each opening of the palette. Forgets records that no longer exist. */
export function recordsQuery(recentIds: readonly string[]) {
  const ids = recentIds.filter(isRecordId)
  return queryOptions({
    queryKey: ['records', ids],
    queryFn: ids.length === 0 ? skipToken : ({ signal }) => existing(ids, signal),
    staleTime: 0,
  })
}

async function existing(ids: string[], signal: AbortSignal): Promise<Records> {
  const records = await call(readRecords, { body: { ids }, signal })
  const found = new Set(Object.values(records).flatMap((rows) => rows.map(({ id }) => id)))
  forget(new Set(ids).difference(found))
  return records
}
