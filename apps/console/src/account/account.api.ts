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

/** One's own living sessions. */
export const sessionsQuery = queryOptions({
  queryKey: SESSIONS,
  queryFn: ({ signal }) => call(listSessions, { signal }),
})

/** Starts to fetch what /settings will show, without making the page wait for it. */
export function prefetchSettings(): void {
  prefetch(sessionsQuery)
}

/** Changes one's own address or password; the sidebar follows, and the session goes on under its new token. */
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
