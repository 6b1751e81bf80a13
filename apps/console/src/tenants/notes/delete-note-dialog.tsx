import type { TenantNote } from '@switchboard/contract/tenants/tenant-notes'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { useDeleteNote } from './tenant-notes.api.ts'

type Props = { note: TenantNote; onDeleted: () => void; onClose: () => void }

/** Asks before an admin removes one of their own notes. */
export function DeleteNoteDialog({ note, ...on }: Props) {
  const deletion = useDeleteNote(note.tenant_id)
  return (
    <ConfirmDelete
      title="Remove Note"
      confirmLabel="Remove"
      failure="The note could not be removed."
      success="The note was removed."
      onDelete={() => deletion.mutateAsync(note)}
      {...on}
    >
      <p>The note is removed for all admins. The activity log keeps its text.</p>
    </ConfirmDelete>
  )
}
