import { TextInput } from '@mantine/core'
import { staleTenant, type Tenant } from '@switchboard/contract/tenants'
import { FIELD_NAME_MAX, FIELD_VALUE_MAX } from '@switchboard/contract/tenants/custom-fields'
import { EXTERNAL_ID_MAX } from '@switchboard/contract/wire/external-id'
import { notify } from '#src/lib/notify.ts'
import { useUpdateTenant } from '#src/tenants/tenants.api.ts'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { InlineForm } from '#src/ui/form/inline-form.tsx'
import { NameValueRows } from '#src/ui/form/name-value-rows.tsx'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { type Details, detailsErrors, detailsOf, draftOf, fieldsOf } from './details-draft.ts'

/** Edits the external id, the tags and the custom fields over the version of the tenant that the form was opened with. */
export function TenantDetailsForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const update = useUpdateTenant()
  const form = useFormFrame({
    initialValues: draftOf(tenant),
    validate: detailsErrors,
    record: tenant,
    about: { id: tenant.id, noun: 'tenant' },
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
        draftOf={draftOf}
        differencesTo={(saved) => differences(COMPARED, saved, detailsOf(form.values))}
      />
      <TextInput
        label="External ID"
        description="The ID of this tenant in another system, such as the billing system."
        maxLength={EXTERNAL_ID_MAX}
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('external_id')}
      />
      <TextInput
        label="Tags"
        description="Separate tags with commas. The list of tenants can be filtered by a tag."
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('tags')}
      />
      <NameValueRows
        legend="Custom fields"
        noun="field"
        valueLabel="Value"
        rows={form.values.fields}
        nameMax={FIELD_NAME_MAX}
        valueMax={FIELD_VALUE_MAX}
        disabled={form.submitting}
        input={(at, part) => form.getInputProps(`fields.${at}.${part}`)}
        onAdd={() => form.insertListItem('fields', { name: '', value: '' })}
        onRemove={(at) => form.removeListItem('fields', at)}
      />
      <p className="ink-3">Prompts can use a field by its name: {'{{ plan }}'}.</p>
    </InlineForm>
  )
}

const COMPARED: ComparedField<Details>[] = [
  { label: 'External ID', text: ({ external_id }) => external_id ?? '' },
  { label: 'Tags', text: ({ tags }) => tags.join(', ') },
  {
    label: 'Custom fields',
    text: (details) =>
      fieldsOf(details)
        .map(({ name, value }) => `${name}: ${value}`)
        .join('\n'),
  },
]
