import {
  acceptInvitation,
  createInvitation,
  type Invitation,
  type InvitationBody,
  listInvitations,
  readInvitation,
  resendInvitation,
  withdrawInvitation,
} from '@switchboard/contract/invitations'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { callOnce } from '#src/lib/call-once.ts'
import { call } from '#src/lib/call.ts'
import { prefetch, refreshAfterChange } from '#src/lib/query-client.ts'

const INVITATIONS = ['invitations']
/** While a mail is waiting, the list is fetched again after this time. */
const QUEUED_REFETCH_MS = 2_000

/** Pending invitations, newest first. */
export const invitationsQuery = queryOptions({
  queryKey: INVITATIONS,
  queryFn: ({ signal }) => call(listInvitations, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ mail_state }) => mail_state === 'queued') ? QUEUED_REFETCH_MS : false,
})

/** Prefetches the invitations without blocking the page. */
export function prefetchInvitations(): void {
  prefetch(invitationsQuery)
}

/** Invites a person. */
export function useInvite() {
  return useMutation({
    mutationFn: (body: InvitationBody) => callOnce(createInvitation, { body }),
    onSuccess: () => refreshAfterChange(INVITATIONS),
  })
}

/** Sends an invitation again, or makes a new link to copy. */
export function useResend() {
  return useMutation({
    mutationFn: ({ id }: Pick<Invitation, 'id'>) => call(resendInvitation, { params: { id } }),
    onSettled: () => refreshAfterChange(INVITATIONS),
  })
}

/** Withdraws an invitation. */
export function useWithdraw() {
  return useMutation({
    mutationFn: ({ id }: Pick<Invitation, 'id'>) => call(withdrawInvitation, { params: { id } }),
    onSettled: () => refreshAfterChange(INVITATIONS),
  })
}

/** The invitation of a link, for the invited person. */
export function openedInvitationQuery(token: string) {
  return queryOptions({
    queryKey: ['opened-invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token }, signal }),
    // An accepted invitation must not disappear from its page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Makes the account of the invited person. */
export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (body: { token: string; name: string | null; password: string }) => call(acceptInvitation, { body }),
  })
}
