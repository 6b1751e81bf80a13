import { TextInput } from '@mantine/core'
import { LIST_VIEW_NAME_MAX, type ListView, type ViewedList } from '@switchboard/contract/list-views'
import { useNavigate } from '@tanstack/react-router'
import { useCan } from '#src/lib/can.ts'
import { useCreateView, useDeleteView, useUpdateView } from '#src/lists/list-views.api.ts'
import { searchOfView } from '#src/lists/view-search.ts'
import { ConfirmDelete } from '#src/ui/dialog/confirm-delete.tsx'
import { CheckField } from '#src/ui/form/check-field.tsx'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'

type Props = {
  list: ViewedList
  /** Title of the list: "Tenants". */
  title: string
  /** The view to rename; null for a new one. */
  view: ListView | null
  /** Filters, order and columns. */
  search: string
  onClose: () => void
}

/** Saves the present filters, order and columns of a list under a name, or renames a view. */
export function SaveViewDialog({ list, title, view, search, onClose }: Props) {
  const create = useCreateView()
  const update = useUpdateView()
  const canShare = useCan('edit')
  const navigate = useNavigate()
  const form = useFormFrame({
    initialValues: { name: view?.name ?? '', is_shared: false, is_default: false },
    validate: ({ name }) => (name.trim() === '' ? { name: 'A view needs a name.' } : {}),
    send: ({ name, ...choices }) =>
      view === null
        ? create.mutateAsync({ list, name, search, ...choices })
        : update.mutateAsync({ view, body: { name } }),
    onSaved: (saved) => {
      if (view === null) void navigate({ to: '.', search: searchOfView(saved), replace: true, resetScroll: false })
      onClose()
    },
    failure: 'The view could not be saved.',
  })
  const { is_shared, is_default } = form.values
  return (
    <DialogForm
      title={view === null ? 'Save View' : 'Rename View'}
      form={form}
      submit={view === null ? 'Save View' : 'Rename'}
      size="sm"
      onClose={onClose}
    >
      <TextInput label="Name" maxLength={LIST_VIEW_NAME_MAX} data-autofocus {...form.getInputProps('name')} />
      {view === null && (
        <>
          {canShare && (
            <CheckField
              label="Share with the team"
              help="Everyone sees the view, and those who may edit can change it."
              checked={is_shared}
              onChange={(checked) => form.setFieldValue('is_shared', checked)}
            />
          )}
          <CheckField
            label={`Open ${title} with this view`}
            help="For you only."
            checked={is_default}
            onChange={(checked) => form.setFieldValue('is_default', checked)}
          />
        </>
      )}
    </DialogForm>
  )
}

/** Asks before a view is deleted. */
export function DeleteViewDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const deletion = useDeleteView()
  const navigate = useNavigate()
  return (
    <ConfirmDelete
      title="Delete View"
      failure="The view could not be deleted."
      success={`The view ${view.name} was deleted.`}
      onDelete={() => deletion.mutateAsync(view)}
      onDeleted={() =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, saved: undefined }),
          replace: true,
          resetScroll: false,
        })
      }
      onClose={onClose}
    >
      <p>
        The view <strong dir="auto">{view.name}</strong> is deleted{view.is_shared ? ' for everyone' : ''}. The records
        that it shows stay.
      </p>
    </ConfirmDelete>
  )
}
