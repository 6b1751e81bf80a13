import * as calls from '@switchboard/contract/signals/log-sinks'
import type {
  CreateLogSinkBody,
  LogShipping,
  LogSink,
  UpdateLogSinkBody,
} from '@switchboard/contract/signals/log-sinks'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'

/** Interval in milliseconds at which the positions are read again, and while a test is on its way. */
const REFETCH_MS = 10_000
const TEST_REFETCH_MS = 1_000

/** All log sinks with their positions. */
export const logShippingQuery = queryOptions({
  queryKey: ['log-sinks'],
  queryFn: ({ signal }) => call(calls.getLogShipping, { signal }),
})

/** The log sinks, read again while the page shows them. */
export const watchedLogShippingQuery = queryOptions({
  ...logShippingQuery,
  refetchInterval: ({ state }) => (state.data?.sinks.some(isTesting) ? TEST_REFETCH_MS : REFETCH_MS),
})

/** Prefetches the data of /settings/log-shipping. */
export function prefetchLogShipping(): void {
  prefetch(logShippingQuery)
}

/** Whether a test record was asked for and has no result yet. */
export function isTesting({ test_requested_at, tested_at }: LogSink): boolean {
  return test_requested_at !== null && (tested_at === null || tested_at < test_requested_at)
}

export function useCreateLogSink() {
  return useMutation({
    // Not cached after the dialog closes: the body holds a secret.
    gcTime: 0,
    mutationFn: (body: CreateLogSinkBody) => callOnce(calls.createLogSink, { body }),
    onSuccess: refresh,
  })
}

type Change = { id: string; version: number | null; body: UpdateLogSinkBody }

/** Changes a sink. With a version, only if nobody has changed it since. */
export function useUpdateLogSink() {
  return useMutation({
    gcTime: 0,
    mutationFn: ({ id, version, body }: Change) =>
      call(calls.updateLogSink, {
        params: { id },
        body,
        ...(version !== null && { ifMatch: version }),
      }),
    onSettled: refresh,
  })
}

export function useTestLogSink() {
  return useMutation({
    mutationFn: ({ id }: Pick<LogSink, 'id'>) => call(calls.testLogSink, { params: { id } }),
    onSuccess: (sink) =>
      queryClient.setQueryData<LogShipping>(
        logShippingQuery.queryKey,
        (shipping) =>
          shipping && { ...shipping, sinks: shipping.sinks.map((each) => (each.id === sink.id ? sink : each)) },
      ),
  })
}

export function useDeleteLogSink() {
  return useMutation({
    mutationFn: ({ id }: Pick<LogSink, 'id'>) => call(calls.deleteLogSink, { params: { id } }),
    onSettled: refresh,
  })
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: logShippingQuery.queryKey })
}
