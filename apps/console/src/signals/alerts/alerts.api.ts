import * as calls from '@switchboard/contract/signals/alerts'
import type { Alert, AlertList } from '@switchboard/contract/signals/alerts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { notifyFailure } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'

const ALERTS = ['alerts']
/** Interval at which the bell looks for alerts. The server looks about as often. */
const REFETCH_MS = 20_000

/** The newest alerts, as the caller sees them. */
export const alertsQuery = queryOptions({
  queryKey: ALERTS,
  queryFn: ({ signal }) => call(calls.listAlerts, { signal }),
  refetchInterval: REFETCH_MS,
})

/** Marks an alert as read, or all. The screen changes at once; a failure brings the mark back. */
export function useReadAlerts() {
  const reading = useMutation({
    mutationFn: (read: Pick<Alert, 'id'> | 'all') =>
      call(calls.readAlerts, { body: read === 'all' ? {} : { ids: [read.id] } }),
    onMutate: async (read) => {
      await queryClient.cancelQueries({ queryKey: ALERTS })
      queryClient.setQueryData(ALERTS, (list?: AlertList) => list && withRead(list, read))
    },
    onError: (error, read) =>
      notifyFailure(error, 'The alerts could not be marked as read.', { onRetry: () => reading.mutate(read) }),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ALERTS }),
  })
  return reading.mutate
}

function withRead({ alerts, unread, open }: AlertList, read: Pick<Alert, 'id'> | 'all'): AlertList {
  const isRead = ({ id, is_unread }: Alert) => is_unread && (read === 'all' || id === read.id)
  const count = read === 'all' ? unread : alerts.filter(isRead).length
  return {
    open,
    unread: unread - count,
    alerts: alerts.map((alert) => (isRead(alert) ? { ...alert, is_unread: false } : alert)),
  }
}
