import { CACHE_LIFETIME_MS, QUERY_RETRIES, retryDelayMs } from '@switchboard/contract/wire/retries'
import {
  type FetchQueryOptions,
  focusManager,
  MutationCache,
  onlineManager,
  QueryClient,
  type QueryKey,
  type UseQueryResult,
} from '@tanstack/react-query'
import { currentSession, onSessionChange } from './session.ts'
import { isRetryable } from './call-error.ts'
import type { ListPage } from './call.ts'
import { isConnectionLost, onConnectionChange } from './connection.ts'
import { holdFirstScreen } from './navigation/first-screen.ts'
import { noteChange } from './input/double-clicks.ts'

/**
 * How long a result is fresh. Other admins change all data, so a stale query is refetched on mount and on window focus.
 * The prefetch of a page and the page itself share a request.
 */
const JUST_FETCHED_MS = 1_000

let isFollowing = false

/** Notes whether the tab follows the changes of others. */
export function setFollowing(isNow: boolean): void {
  isFollowing = isNow
}

/** Cache of fetched data. Cleared at the end of the session. */
export const queryClient = new QueryClient({
  mutationCache: new MutationCache({ onMutate: noteChange }),
  defaultOptions: {
    queries: {
      staleTime: JUST_FETCHED_MS,
      // Until then, a cached result is shown at once and refetched in the background.
      gcTime: CACHE_LIFETIME_MS,
      retry: (failures, error) => failures < QUERY_RETRIES && isRetryable(error),
      retryDelay: retryDelayMs,
      retryOnMount: ({ state }) => state.error === null || isRetryable(state.error),
      // Without the server, a call fails with an error. By default, a call would wait, and a change would be sent
      // later.
      networkMode: 'always',
      refetchOnReconnect: true,
      // While changes are followed, the focus refetches shown data in place.
      refetchOnWindowFocus: () => !isFollowing,
    },
    mutations: { networkMode: 'always' },
  },
})

// Refetch stale queries when the server answers again, not when the network card reports a network.
onlineManager.setEventListener((setOnline) => onConnectionChange(() => setOnline(!isConnectionLost())))

onSessionChange(() => {
  if (currentSession().kind !== 'authenticated') queryClient.clear()
})

// By default, only a visibility change of the tab causes a refetch. A window beside other windows needs focus events.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus()
  window.addEventListener('focus', listener)
  document.addEventListener('visibilitychange', listener)
  return () => {
    window.removeEventListener('focus', listener)
    document.removeEventListener('visibilitychange', listener)
  }
})

/** Notes whether nobody is at the tab: then no query is refetched by itself, because its calls would keep the session alive. */
export function setAway(isNow: boolean): void {
  focusManager.setFocused(isNow ? false : undefined)
}

/**
 * Whether a query has neither a result nor a failure yet. The parts of a page wait for the first attempts of one
 * another, but not for retries.
 */
export function isFirstAttempt({
  isPending,
  failureCount,
}: Pick<UseQueryResult, 'isPending' | 'failureCount'>): boolean {
  return isPending && failureCount === 0
}

/** Prefetches the data of a page. Skips a query that the server refused within `JUST_FETCHED_MS`, or refuses without a second factor. */
export function prefetch<Data, Key extends QueryKey>(options: FetchQueryOptions<Data, Error, Data, Key>): void {
  const session = currentSession()
  if (session.kind === 'authenticated' && session.admin.must_enroll) return
  const state = queryClient.getQueryState<Data>(options.queryKey)
  const isJustRefused = state?.error && !isRetryable(state.error) && Date.now() - state.errorUpdatedAt < JUST_FETCHED_MS
  if (!isJustRefused) holdFirstScreen(queryClient.prefetchQuery(options))
}

/**
 * Refetches the queries below `queryKey` after a change. All others become stale, so that their next screen refetches
 * them: other lists and the dashboard count or name the changed record.
 */
export function refreshAfterChange(queryKey: QueryKey): void {
  void queryClient.invalidateQueries({ refetchType: 'none' })
  void queryClient.invalidateQueries({ queryKey })
}

/** Optimistic update of the rows of every cached page. All queries below `queryKey` must be pages. */
export function changeRows<Row>(queryKey: QueryKey, change: (rows: Row[]) => Row[]): void {
  queryClient.setQueriesData<ListPage<Row[]>>({ queryKey }, (page) => page && { ...page, rows: change(page.rows) })
}
