import { sendTestMail } from '@switchboard/contract/mail'
import * as calls from '@switchboard/contract/system'
import type { SystemBackups, SystemReport } from '@switchboard/contract/system'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { failureText } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { can } from '#src/lib/can.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { settledSession } from '#src/lib/session.ts'

const SYSTEM = ['system']
/** Interval of the report while a backup is being made, in milliseconds. */
const RUNNING_MS = 2_000

/** The state of the installation. */
export const systemQuery = queryOptions({
  queryKey: SYSTEM,
  queryFn: ({ signal }) => call(calls.getSystemReport, { signal }),
  refetchInterval: ({ state }) => (isBackingUp(state.data?.backups) ? RUNNING_MS : false),
})

/** Whether a backup is being made. */
export function isBackingUp(backups: SystemBackups | undefined): boolean {
  return (backups?.running_since ?? null) !== null
}

/** Prefetches the data of /settings/system. */
export function prefetchSystem(): void {
  void settledSession().then(() => {
    if (can('system')) prefetch(systemQuery)
  })
}

/** Compares the counters with the rows. */
export function useCheckCounters() {
  return useMutation({ mutationFn: () => call(calls.checkCounters, {}) })
}

/** Starts a backup. `systemQuery` follows it. */
export function useBackUp() {
  const starting = useMutation({
    mutationFn: () => call(calls.backUp, {}),
    onSuccess: (backups) =>
      queryClient.setQueryData(SYSTEM, (report?: SystemReport) => report && { ...report, backups }),
    onError: (error) =>
      notifyFailure(error, 'The backup was not started.', { about: 'backup', onRetry: () => starting.mutate() }),
  })
  return starting
}

/** Sends a test mail to the admin's own address and reports the result. */
export function useSendTestMail() {
  return useMutation({
    mutationFn: () => call(sendTestMail, {}),
    onSuccess: ({ email }) => void notify('ok', `The mail server took a test mail to ${email}.`),
    onError: (error) => void notify('bad', failureText(error, 'The test mail could not be sent.')),
  })
}
