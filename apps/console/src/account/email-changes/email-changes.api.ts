import {
  cancelEmailChange,
  confirmEmailChange,
  getEmailChange,
  readEmailChange,
  resendEmailChange,
} from '@switchboard/contract/email-changes'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'

/** Interval of polling while the mail is waiting to be sent. */
const QUEUED_REFETCH_MS = 2_000

/** The pending email address of the signed-in admin, or null. */
export const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: async ({ signal }) => (await call(getEmailChange, { signal })).email_change,
  refetchInterval: ({ state: { data } }) => (data?.mail_state === 'queued' ? QUEUED_REFETCH_MS : false),
})

type Pending = { id: string; newEmail: string }

export function useResendEmailChange() {
  const resend = useMutation({
    mutationFn: ({ id }: Pending) => call(resendEmailChange, { params: { id } }),
    onSuccess: (_, { id, newEmail }) => notify('ok', `The link to ${newEmail} is on its way again.`, { about: id }),
    onError: (error, pending) =>
      notifyFailure(error, `The link to ${pending.newEmail} could not be sent again.`, {
        about: pending.id,
        onRetry: () => resend.mutate(pending),
      }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return resend
}

export function useCancelEmailChange() {
  const cancel = useMutation({
    mutationFn: ({ id }: Pending) => call(cancelEmailChange, { params: { id } }),
    onSuccess: (_, { id, newEmail }) =>
      notify('ok', `The change to ${newEmail} was canceled. Its link no longer works.`, { about: id }),
    onError: (error, pending) =>
      notifyFailure(error, `The change to ${pending.newEmail} could not be canceled.`, {
        about: pending.id,
        onRetry: () => cancel.mutate(pending),
      }),
    onSettled: () => queryClient.invalidateQueries(),
  })
  return cancel
}

export function openedEmailChangeQuery(token: string) {
  return queryOptions({
    queryKey: ['opened-email-change', token],
    queryFn: ({ signal }) => call(readEmailChange, { body: { token }, signal }),
    // A refetch after the confirmation would fail, and the page would lose the address.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useConfirmEmailChange() {
  return useMutation({ mutationFn: (body: { token: string }) => call(confirmEmailChange, { body }) })
}
