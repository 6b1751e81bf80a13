import type { User } from '@switchboard/contract/users'
import { UNDO_HINT } from '#src/lib/notify.ts'
import { EndingAccess } from '#src/team/ending-access.tsx'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { restoreDeletedUser, useDeleteUser } from './users.api.ts'

type Props = { user: User; onDeleted: () => void; onClose: () => void }

/** Asks before a user is deleted. */
export function DeleteUserDialog({ user, ...on }: Props) {
  const deletion = useDeleteUser()
  return (
    <ConfirmDelete
      title="Delete User"
      failure="Failed to delete user."
      success={`${user.email} was deleted.`}
      onDelete={() => deletion.mutateAsync(user)}
      undo={{ about: user.id, onUndo: () => restoreDeletedUser(user) }}
      {...on}
    >
      <p>
        Delete <strong>{user.email}</strong>
        {user.tenant_name !== null && (
          <>
            {' of '}
            <span dir="auto">{user.tenant_name}</span>
          </>
        )}
        ?{' '}
        {user.tenant_id === null
          ? 'They are signed out at once.'
          : "They can no longer sign in to the tenant's portal."}{' '}
        {UNDO_HINT} To keep the account, deactivate it instead.
      </p>
      {user.tenant_id === null && <EndingAccess memberId={user.id} />}
    </ConfirmDelete>
  )
}
