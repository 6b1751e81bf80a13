import {
  endOtherSessions,
  endSession,
  listSessions,
  type ProfileBody,
  updateProfile,
} from '@switchboard/contract/account'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { emailChangeQuery } from '#src/account/email-changes/email-changes.api.ts'
import { call } from '#src/lib/call.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { liveTextQuery } from '#src/prompts/prompts.api.ts'
import { refreshAdmin, renewSession } from '#src/lib/session.ts'

const SESSIONS = ['sessions']

/** The active sessions of the signed-in admin. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** Prefetches the data of /settings without blocking the page. */
export function prefetchAccount(): void {
  prefetch(emailChangeQuery)
  prefetch(liveTextQuery(undefined))
}

/** Prefetches the data of /settings/sessions without blocking the page. */
export function prefetchSessions(): void {
  prefetch(sessionsQuery)
}

/** Changes the name and the email address, or the password of the signed-in admin. A new password also renews the session token. */
export function useUpdateProfile() {
  return useMutation({
    mutationFn: (body: ProfileBody) => call(updateProfile, { body }),
    onSuccess: ({ access_token, ...admin }) => {
      if (access_token === undefined) refreshAdmin(admin)
      else renewSession(access_token, admin)
      void queryClient.invalidateQueries()
    },
  })
}

/** Ends a session and reports the result. `onEnded` moves the focus before the session disappears from the list. */
export function useEndSession(onEnded: () => void) {
  const ending = useMutation({
    mutationFn: ({ id }: { id: string; device: string }) => call(endSession, { params: { id } }),
    onSuccess: (_, { device }) => {
      notify('ok', `The session of ${device} was ended.`)
      onEnded()
    },
    onError: (error, session) =>
      notifyFailure(error, `The session of ${session.device} could not be ended.`, {
        about: session.id,
        onRetry: () => ending.mutate(session),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  })
  return ending
}

/** Like `useEndSession`, but for all sessions except the current one. */
export function useEndOtherSessions(onEnded: () => void) {
  const ending = useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: () => {
      notify('ok', 'All other sessions were ended.')
      onEnded()
    },
    onError: (error) =>
      notifyFailure(error, 'The other sessions could not be ended.', { onRetry: () => ending.mutate() }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  })
  return ending
}
