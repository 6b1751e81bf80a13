import {
  endOtherSessions,
  endSession,
  listSessions,
  type ProfileBody,
  updateProfile,
} from '@switchboard/contract/account'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '#src/lib/call.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'
import { refreshAdmin, renewSession } from '#src/lib/session.ts'

const SESSIONS = ['sessions']

/** The active sessions of the signed-in admin. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** Prefetches the data of /settings without blocking the page. */
export function prefetchAccount(): void {
  prefetch(sessionsQuery)
}

/** Changes the email address or the password of the signed-in admin. A new password also renews the session token. */
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

export function useEndSession() {
  return useMutation({
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  })
}

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SESSIONS }),
  })
}
