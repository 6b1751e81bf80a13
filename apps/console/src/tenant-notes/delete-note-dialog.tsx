import type { TenantNote } from '@switchboard/contract/tenants/tenant-notes'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { useDeleteNote } from './tenant-notes.api.ts'

/** Asks before an own note is removed. */
export function DeleteNoteDialog({ note, onClose }: { note: TenantNote; onClose: () => void }) {
  const deletion = useDeleteNote(note.tenant_id)
  async function confirm() {
    await deletion.mutateAsync(note)
    onClose()
  }
  return (
    <ConfirmDialog
      title="Remove note"
      tone="danger"
      confirmLabel="Remove"
      failure="The note could not be removed."
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>The note is removed for all admins. The activity log keeps its text.</p>
    </ConfirmDialog>
  )
}
