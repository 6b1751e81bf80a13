import type { User } from '@switchboard/contract/users'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { useDeleteUser } from './users.api.ts'

type Props = { admin: User; onDeleted: () => void; onClose: () => void }

/** Asks before a user is removed (spec §2, Users). */
export function DeleteUserDialog({ admin, onDeleted, onClose }: Props) {
  const deletion = useDeleteUser()

  function deleteUser() {
    deletion.mutate(admin, {
      onSuccess: () => {
        onClose()
        notify('ok', `${admin.email} was deleted.`)
        onDeleted()
      },
    })
  }

  return (
    <ConfirmDialog
      title="Delete User"
      tone="danger"
      confirmLabel="Delete"
      busy={deletion.isPending}
      error={deletion.isError ? messageOf(deletion.error, 'Failed to delete user.') : null}
      onConfirm={deleteUser}
      onClose={onClose}
    >
      <p>
        Delete <strong>{admin.email}</strong>
        {admin.tenant_name !== null && (
          <>
            {' of '}
            <span dir="auto">{admin.tenant_name}</span>
          </>
        )}
        ? This cannot be undone, and signs them out at once. To keep the account, deactivate it instead.
      </p>
    </ConfirmDialog>
  )
}
