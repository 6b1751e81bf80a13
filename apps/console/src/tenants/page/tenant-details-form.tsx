import { ActionIcon, Button, TextInput } from '@mantine/core'
import { staleTenant, type Tenant } from '@switchboard/contract/tenants'
import { FIELD_NAME_MAX, FIELD_VALUE_MAX } from '@switchboard/contract/tenants/custom-fields'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { notify } from '#src/lib/notify.ts'
import { useUpdateTenant } from '#src/tenants/tenants.api.ts'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { InlineForm } from '#src/ui/form/inline-form.tsx'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { type Details, type DetailsDraft, detailsErrors, detailsOf, draftOf, fieldsOf } from './details-draft.ts'
import css from './tenant-details-form.module.css'

/** Edits the tags and the custom fields over the version of the tenant that the form was opened with. */
export function TenantDetailsForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const update = useUpdateTenant()
  const form = useFormFrame({
    initialValues: draftOf(tenant),
    validate: detailsErrors,
    stale: staleTenant,
    send: (values, latest) => update.mutateAsync({ tenant: latest ?? tenant, body: detailsOf(values) }),
    onSaved: ({ id, name }) => {
      onClose()
      notify('ok', `${name} was updated.`, { about: id })
    },
    failure: 'Failed to update tenant',
  })

  return (
    <InlineForm form={form} submit="Save Changes" onClose={onClose}>
      <RecordConflict
        form={form}
        change="changed this tenant"
        draftOf={draftOf}
        differencesTo={(saved) => differences(COMPARED, saved, detailsOf(form.values))}
      />
      <TextInput
        label="Tags"
        description="Separate tags with commas. The list of tenants can be filtered by a tag."
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('tags')}
      />
      <fieldset className={css.fields}>
        <legend className={css.legend}>Custom fields</legend>
        {form.values.fields.map((_, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has no identity but its place
          <FieldRow key={at} form={form} at={at} />
        ))}
        <div>
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={form.submitting}
            onClick={() => form.insertListItem('fields', { name: '', value: '' })}
          >
            Add Field
          </Button>
        </div>
        <p className="ink-3">Prompts can use a field by its name: {'{{ plan }}'}.</p>
      </fieldset>
    </InlineForm>
  )
}

type FieldForm = Pick<
  ReturnType<typeof useFormFrame<DetailsDraft, Tenant>>,
  'getInputProps' | 'removeListItem' | 'submitting' | 'values'
>

function FieldRow({ form, at }: { form: FieldForm; at: number }) {
  const name = form.values.fields[at]?.name ?? ''
  return (
    <div className={css.row}>
      <TextInput
        aria-label={`Name of field ${at + 1}`}
        placeholder="Name"
        maxLength={FIELD_NAME_MAX}
        autoCapitalize="none"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- "Add Field" leads to the new field
        autoFocus={name === ''}
        {...form.getInputProps(`fields.${at}.name`)}
      />
      <TextInput
        aria-label={`Value of field ${at + 1}`}
        placeholder="Value"
        maxLength={FIELD_VALUE_MAX}
        {...form.getInputProps(`fields.${at}.value`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={`Remove field ${name || at + 1}`}
        data-tooltip="Remove"
        disabled={form.submitting}
        onClick={() => form.removeListItem('fields', at)}
      >
        <IconTrash size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </div>
  )
}

const COMPARED: ComparedField<Details>[] = [
  { label: 'Tags', text: ({ tags }) => tags.join(', ') },
  {
    label: 'Custom fields',
    text: (details) =>
      fieldsOf(details)
        .map(({ name, value }) => `${name}: ${value}`)
        .join('\n'),
  },
]
