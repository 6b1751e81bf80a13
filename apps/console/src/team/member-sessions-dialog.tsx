import { Button } from '@mantine/core'
import type { Member, MemberSession } from '@switchboard/contract/team'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { SessionItem } from '#src/ui/list/session-item.tsx'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { EmptyState, LoadError } from '#src/ui/page/empty-state.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import { memberSessionsQuery, useEndMemberSession } from './team.api.ts'

/** The live sessions of a member, with a button to end each and a button to end all. */
export function MemberSessionsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const sessions = useQuery(memberSessionsQuery(member.id))
  const done = useRef<HTMLButtonElement>(null)
  // The pressed button disappears with its session.
  const ending = useEndMemberSession(member, () => done.current?.focus())
  const endingOf = ({ id }: MemberSession) =>
    ending.isPending && ending.variables !== 'all' && ending.variables.id === id
  return (
    <Dialog title={`Sessions of ${member.email}`} size="lg" onClose={onClose}>
      <DialogMain>
        {sessions.isLoadingError ? (
          <LoadError plain title="The sessions could not be loaded" queries={[sessions]} />
        ) : sessions.data === undefined ? (
          <SkeletonItems text="Loading sessions..." count={Math.max(1, member.open_session_count)} />
        ) : sessions.data.length === 0 ? (
          <EmptyState plain title="No open sessions" />
        ) : (
          <ul aria-label="Sessions">
            {sessions.data.map((session) => (
              <SessionItem
                key={session.id}
                session={session}
                isEnding={endingOf(session)}
                onEnd={(device) => ending.mutate({ id: session.id, device })}
              />
            ))}
          </ul>
        )}
      </DialogMain>
      <DialogFooter>
        {sessions.data !== undefined && sessions.data.length > 0 && (
          <Button
            variant="default"
            loading={ending.isPending && ending.variables === 'all'}
            onClick={() => ending.mutate('all')}
          >
            End All Sessions
          </Button>
        )}
        <Button ref={done} data-autofocus onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
