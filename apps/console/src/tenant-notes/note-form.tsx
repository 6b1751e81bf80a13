import { Button, Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { TENANT_NOTE_MAX, type TenantNote } from '@switchboard/contract/tenants/tenant-notes'
import type { KeyboardEvent } from 'react'
import { Form } from '#src/ui/form/form.tsx'
import formCss from '#src/ui/form/form.module.css'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { useUnsavedGuard } from '#src/ui/form/use-unsaved-guard.tsx'
import css from './note-form.module.css'
import { useSaveNote } from './tenant-notes.api.ts'

type Props = {
  tenantId: string
  /** Null for a new note. */
  note: TenantNote | null
  onClose: () => void
}

/** A new note, or the change of an own note, in place. */
export function NoteForm({ tenantId, note, onClose }: Props) {
  const save = useSaveNote(tenantId)
  const form = useFormFrame({
    initialValues: { text: note?.text ?? '' },
    validate: ({ text }) => (text.trim() === '' ? { text: 'A note needs a text.' } : {}),
    send: ({ text }) => save.mutateAsync({ note, text }),
    onSaved: onClose,
    failure: 'The note could not be saved.',
  })
  const guard = useUnsavedGuard(() => form.isDirty(), form)

  async function pressKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit()
    if (event.key === 'Escape' && (await guard.mayClose())) onClose()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- shortcuts of the two buttons
    <div className={css.note} onKeyDown={(event) => void pressKey(event)}>
      <Form form={form}>
        <Textarea
          label={note === null ? 'New note' : 'Note'}
          maxLength={TENANT_NOTE_MAX}
          rows={3}
          dir="auto"
          {...form.getInputProps('text')}
        />
        <div className={formCss.buttons}>
          <Button variant="default" disabled={form.submitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Save note
          </Button>
        </div>
      </Form>
      {guard.question}
    </div>
  )
}
