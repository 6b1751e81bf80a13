import { Textarea } from '@mantine/core'
import { TENANT_NOTE_MAX, type TenantNote } from '@switchboard/contract/tenants/tenant-notes'
import { InlineForm } from '#src/ui/form/inline-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import css from './note-form.module.css'
import { useSaveNote } from './tenant-notes.api.ts'

type Props = {
  tenantId: string
  /** Null for a new note. */
  note: TenantNote | null
  onClose: () => void
}

/** Adds a note, or edits one of the admin's own notes in place. */
export function NoteForm({ tenantId, note, onClose }: Props) {
  const save = useSaveNote(tenantId)
  const form = useFormFrame({
    initialValues: { text: note?.text ?? '' },
    validate: ({ text }) => (text.trim() === '' ? { text: 'A note needs text.' } : {}),
    send: ({ text }) => save.mutateAsync({ note, text }),
    onSaved: onClose,
    failure: 'The note could not be saved.',
  })

  return (
    <div className={css.note}>
      <InlineForm form={form} submit="Save Note" onClose={onClose}>
        <Textarea
          label={note === null ? 'New note' : 'Note'}
          maxLength={TENANT_NOTE_MAX}
          rows={3}
          {...form.getInputProps('text')}
        />
      </InlineForm>
    </div>
  )
}
