import type { Admin } from '@switchboard/contract/tenant-admins'
import { ConfirmDialog } from '#src/components/confirm-dialog.tsx'
import { messageOf } from '#src/lib/call-error.ts'
import { notify } from '#src/lib/notify.ts'
import { useDeleteAdmin } from './admins.api.ts'

type Props = { admin: Admin; onDeleted: () => void; onClose: () => void }

/** Asks before a user is removed (spec §2, Users). */
export function DeleteAdminDialog({ admin, onDeleted, onClose }: Props) {
  const deletion = useDeleteAdmin()

  function deleteAdmin() {
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
      onConfirm={deleteAdmin}
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
