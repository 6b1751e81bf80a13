import type { Query, QueryKey } from '@tanstack/react-query'
import type { ListPage } from '#src/lib/call.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { isListPage } from './list-page.ts'

type Row = { id?: string; seq?: number }
type Page = ListPage<Row[]>

/**
 * Fetches the data of a query on screen after a change by others, and shows it after `untilCalm`. In a list, the rows on screen
 * change in place, and rows that are new, gone or moved wait as an offer, so that no row moves under the pointer. A failure
 * rejects, and leaves the query as it is.
 */
export async function refreshInPlace(query: Query, untilCalm: () => Promise<void>): Promise<void> {
  const { queryKey, state } = query
  if (state.data === undefined) return
  // Under another key: a fetch of the query itself would show its data, or its failure, at once.
  const { queryHash: _hash, ...fetch } = query.options
  const fresh = await queryClient.fetchQuery({ ...fetch, queryKey: ['fresh', ...queryKey], gcTime: 0, staleTime: 0 })
  await untilCalm()
  // The admin has left the screen, which fetches its data on the way back.
  if (!query.isActive()) return
  // The admin has refreshed or changed the data in the meantime.
  if (query.state.dataUpdatedAt !== state.dataUpdatedAt) return await refreshInPlace(query, untilCalm)
  const isList = query.observers.some(({ options }) => isListPage(options.meta))
  const shown = isList ? queryClient.getQueryData<Page>(queryKey) : undefined
  queryClient.setQueryData(queryKey, shown && isPage(fresh) ? mergedPage(queryKey, shown, fresh) : fresh)
}

/** The rows of the page on screen with their new values. Other rows of the fresh page are offered. */
function mergedPage(queryKey: QueryKey, shown: Page, fresh: Page): Page {
  const shownIds = shown.rows.map(idOf)
  const freshIds = fresh.rows.map(idOf)
  if (shown.rows.length === 0 || shownIds.join() === freshIds.join()) return fresh
  const freshRows = new Map(fresh.rows.map((row) => [idOf(row), row]))
  const rows = shown.rows.map((row) => freshRows.get(idOf(row)) ?? row)
  const show = () => void queryClient.setQueryData(queryKey, fresh)
  const { next, prev, start } = shown
  return { ...fresh, rows, next, prev, start, offer: { added: addedRows(shown, shownIds, freshIds), show } }
}

function isPage(data: unknown): data is Page {
  return typeof data === 'object' && data !== null && 'rows' in data
}

/** The number of new rows. Rows at the end of a full page may have moved up from the next page. */
function addedRows({ next }: Page, shownIds: readonly unknown[], freshIds: readonly unknown[]): number {
  const known = new Set(shownIds)
  const lastKnown = freshIds.findLastIndex((id) => known.has(id))
  const ids = next === null ? freshIds : freshIds.slice(0, lastKnown + 1)
  return ids.filter((id) => !known.has(id)).length
}

function idOf({ id, seq }: Row): string | number | undefined {
  return id ?? seq
}
