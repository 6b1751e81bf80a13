import type { User } from '@switchboard/contract/users'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { useDeleteUser } from './users.api.ts'

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
        ? This cannot be undone, and{' '}
        {user.tenant_id === null ? 'signs them out at once' : "they can no longer sign in to the tenant's portal"}. To
        keep the account, deactivate it instead.
      </p>
    </ConfirmDelete>
  )
}
