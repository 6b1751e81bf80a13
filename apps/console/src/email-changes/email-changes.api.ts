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

/** While a mail is waiting, its state is fetched again after this time. */
const QUEUED_REFETCH_MS = 2_000

/** The new address of the signed-in admin that waits for its link to be opened; null without one. */
export const emailChangeQuery = queryOptions({
  queryKey: ['email-change'],
  queryFn: async ({ signal }) => (await call(getEmailChange, { signal })).email_change,
  refetchInterval: ({ state: { data } }) => (data?.mail_state === 'queued' ? QUEUED_REFETCH_MS : false),
})

/** An account with a new address. */
type Pending = { id: string; newEmail: string }

/** Sends the link to the new address of an account again. Reports the result. */
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

/** Cancels the new address of an account. Reports the result. */
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

/** The present and the new address of a link. */
export function openedEmailChangeQuery(token: string) {
  return queryOptions({
    queryKey: ['opened-email-change', token],
    queryFn: ({ signal }) => call(readEmailChange, { body: { token }, signal }),
    // A confirmed address must not disappear from its page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Gives the account of a link its new address. */
export function useConfirmEmailChange() {
  return useMutation({ mutationFn: (body: { token: string }) => call(confirmEmailChange, { body }) })
}
