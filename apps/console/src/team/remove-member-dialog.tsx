import type { Member } from '@switchboard/contract/team'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { restoreDeletedUser } from '#src/users/users.api.ts'
import { EndingAccess } from './ending-access.tsx'
import { useRemoveMember } from './team.api.ts'

/** Asks before a member is removed from the team. */
export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const removal = useRemoveMember()
  return (
    <ConfirmDelete
      title="Remove Member"
      confirmLabel="Remove"
      failure="Failed to remove the member."
      success={`${member.email} was removed.`}
      onDelete={() => removal.mutateAsync(member)}
      undo={{ about: member.id, onUndo: () => restoreDeletedUser(member) }}
      onClose={onClose}
    >
      <p>
        Remove <strong>{member.email}</strong> from the team? They are signed out at once. {UNDO_HINT} To keep the
        account, deactivate it instead.
      </p>
      <EndingAccess memberId={member.id} />
    </ConfirmDelete>
  )
}
