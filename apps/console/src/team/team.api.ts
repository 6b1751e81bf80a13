import {
  endMemberSession,
  endMemberSessions,
  listMemberSessions,
  listTeam,
  type Member,
  removeMember,
  type UpdateMemberBody,
  updateMember,
} from '@switchboard/contract/team'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { prefetchInvitations } from '#src/team/invitations/invitations.api.ts'
import { call } from '#src/lib/call.ts'
import { can } from '#src/lib/can.ts'
import { notify, notifyFailure } from '#src/lib/notify.ts'
import { prefetch, queryClient, refreshAfterChange } from '#src/lib/query-client.ts'
import { settledSession } from '#src/lib/session.ts'
import { toggledText, undoneText } from '#src/users/user-labels.ts'

const TEAM = ['team']
const ALL_USERS = ['users']
/** Interval of polling while the mail to a new address is waiting to be sent. */
const QUEUED_REFETCH_MS = 2_000

/** Everyone who runs the console. */
export const teamQuery = queryOptions({
  queryKey: TEAM,
  queryFn: ({ signal }) => call(listTeam, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ email_change }) => email_change?.mail_state === 'queued') ? QUEUED_REFETCH_MS : false,
})

/** The live sessions of a member. */
export function memberSessionsQuery(id: string) {
  return queryOptions({
    queryKey: [...TEAM, id, 'sessions'],
    queryFn: ({ signal }) => call(listMemberSessions, { params: { id }, signal }),
  })
}

/** Prefetches the data of /settings/team without blocking the page, unless the role does not allow the page. */
export function prefetchTeam(): void {
  void settledSession().then(() => {
    if (!can('team')) return
    prefetch(teamQuery)
    prefetchInvitations()
  })
}

/** Changes the version that `member` has. Another version is a 412 with the current member. */
export function useUpdateMember() {
  return useMutation({
    mutationFn: ({ member: { id, version }, body }: { member: Member; body: UpdateMemberBody }) =>
      call(updateMember, { params: { id }, body, ifMatch: version }),
    onSuccess: replaceMember,
    onSettled: refreshTeam,
  })
}

/** Activates or deactivates a member. Reports the result, with Undo, or a failure, with "Try Again". */
export function useToggleMember() {
  return useMutation({ mutationFn: toggle }).mutate
}

async function toggle(before: Member): Promise<void> {
  const { id, email, is_active: wasActive, open_session_count } = before
  const member = { email, is_active: !wasActive, tenant_id: null, tenant_status: null, has_password: true }
  const ended = wasActive ? open_session_count : 0
  try {
    await setActive(id, !wasActive)
    notify('ok', toggledText(member, ended), {
      about: id,
      onUndo: async () => {
        await setActive(id, wasActive)
        return undoneText({ email, is_active: wasActive }, ended)
      },
    })
  } catch (error) {
    notifyFailure(error, `${email} could not be ${wasActive ? 'deactivated' : 'activated'}.`, {
      about: id,
      onRetry: () => void toggle(before),
    })
  } finally {
    refreshTeam()
  }
}

async function setActive(id: string, is_active: boolean): Promise<void> {
  replaceMember(await call(updateMember, { params: { id }, body: { is_active } }))
}

export function useRemoveMember() {
  return useMutation({
    mutationFn: ({ id }: Member) => call(removeMember, { params: { id } }),
    // Remove the row at once, so that it is gone when the dialog closes.
    onSuccess: (_, { id }) =>
      queryClient.setQueryData(TEAM, (team?: Member[]) => team?.filter((member) => member.id !== id)),
    onSettled: refreshTeam,
  })
}

/** Ends one session of a member, or all sessions. Reports the result. `onEnded` moves the focus before a session disappears. */
export function useEndMemberSession({ id, email }: Member, onEnded: () => void) {
  const ending = useMutation({
    mutationFn: (session: { id: string; device: string } | 'all') =>
      session === 'all'
        ? call(endMemberSessions, { params: { id } })
        : call(endMemberSession, { params: { id, session_id: session.id } }),
    onSuccess: (_, session) => {
      onEnded()
      notify('ok', session === 'all' ? `${email} was signed out.` : `The session of ${session.device} was ended.`)
    },
    onError: (error, session) =>
      notifyFailure(error, session === 'all' ? 'The sessions could not be ended.' : 'The session could not be ended.', {
        about: id,
        onRetry: () => ending.mutate(session),
      }),
    onSettled: refreshTeam,
  })
  return ending
}

function replaceMember(saved: Member): void {
  queryClient.setQueryData(TEAM, (team?: Member[]) => team?.map((member) => (member.id === saved.id ? saved : member)))
}

/** The lists of users show the members too. */
function refreshTeam(): void {
  refreshAfterChange(TEAM)
  void queryClient.invalidateQueries({ queryKey: ALL_USERS, refetchType: 'none' })
}
