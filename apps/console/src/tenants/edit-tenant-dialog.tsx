import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { GOAL_MAX, staleTenant, type Tenant, TENANT_NAME_MAX, updateTenantBody } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { notify } from '#src/lib/notify.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import formCss from '#src/ui/form/form.module.css'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import { AggressivenessSlider } from './aggressiveness-slider.tsx'
import { ConfirmSuspensionDialog } from '#src/tenants/status/confirm-suspension-dialog.tsx'
import { effectsAhead, STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-labels.ts'
import { reportStatus, statusEffectsQuery } from '#src/tenants/status/tenant-status.api.ts'
import { useUpdateTenant } from './tenants.api.ts'

type Draft = Pick<Tenant, 'name' | 'status' | 'tenant_type' | 'goal' | 'aggressiveness'>

/** Edits the version of a tenant that the dialog was opened with. */
export function EditTenantDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const update = useUpdateTenant()
  const form = useFormFrame({
    initialValues: draftOf(tenant),
    validate: schemaResolver(updateTenantBody, { sync: true }),
    record: tenant,
    about: { id: tenant.id, noun: 'tenant' },
    stale: staleTenant,
    send: async (values, latest) => {
      const before = latest ?? tenant
      const saved = await update.mutateAsync({ tenant: before, body: { ...values, name: values.name.trim() } })
      return { before, saved }
    },
    onSaved: ({ before, saved }) => {
      onClose()
      if (saved.status === before.status) return notify('ok', `${saved.name} was updated.`, { about: saved.id })
      const isUpdated = JSON.stringify({ ...draftOf(before), status: saved.status }) !== JSON.stringify(draftOf(saved))
      return reportStatus(before, saved, { effects: change.effects, isUpdated })
    },
    failure: 'Failed to update tenant',
  })
  const change = useStatusChange(form.latest ?? tenant, form.values.status, form)

  return (
    <DialogForm
      title="Edit Tenant"
      form={{ ...form, submit: change.submit }}
      submit={change.submitLabel}
      submitting="Updating..."
      isSubmitDisabled={change.isSubmitDisabled}
      isDanger={change.isSuspension}
      onClose={onClose}
    >
      {change.question}
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) => differences(FIELDS, saved, { ...form.values, name: form.values.name.trim() })}
      />
      <TextInput
        label="Tenant Name"
        maxLength={TENANT_NAME_MAX}
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
      <div className={formCss.pair}>
        <NativeSelect
          label="Status"
          description={<span aria-live="polite">{change.hint}</span>}
          data={STATUS_OPTIONS}
          {...form.getInputProps('status')}
        />
        <NativeSelect
          label="Business Type"
          description="Decides which AI prompts and tools customers experience."
          data={TYPE_OPTIONS}
          {...form.getInputProps('tenant_type')}
        />
      </div>
      <Textarea
        label="Goal"
        description="What the assistant should achieve in a conversation."
        maxLength={GOAL_MAX}
        rows={3}
        {...form.getInputProps('goal')}
      />
      <AggressivenessSlider {...form.control('aggressiveness')} />
      <TextInput
        label="Subdomain"
        description="Can't be changed after creation."
        value={`${tenant.subdomain}.${consoleSettings.platform_domain}`}
        classNames={{ input: 'mono' }}
        readOnly
      />
    </DialogForm>
  )
}

type Submit = (event?: SubmitEvent<HTMLFormElement>) => void

/**
 * The consequences of a new status in a form over `saved`: the hint, the label of the button, and a question before keys
 * that are in use are refused.
 */
function useStatusChange(saved: Tenant, status: TenantStatus, form: { submit: Submit; isValid: () => boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const other = saved.status === 'active' ? 'inactive' : 'active'
  const effects = useQuery(statusEffectsQuery(other, [saved.id]))
  const isChanged = status !== saved.status
  const isSuspension = isChanged && status === 'inactive'

  function submit(event?: SubmitEvent<HTMLFormElement>) {
    if (!isSuspension || effects.data?.used_api_key_count === 0 || !form.isValid()) return form.submit(event)
    event?.preventDefault()
    setIsAsking(true)
  }

  function confirm() {
    setIsAsking(false)
    form.submit()
  }

  return {
    effects: effects.data,
    hint: isChanged && !effects.isPending && effectsAhead(status, effects.data),
    submitLabel: isSuspension ? 'Suspend Tenant' : 'Save Changes',
    isSuspension,
    isSubmitDisabled: isChanged && effects.isPending,
    submit,
    question: isAsking && (
      <ConfirmSuspensionDialog
        tenant={saved}
        effects={effects.data}
        onConfirm={confirm}
        onClose={() => setIsAsking(false)}
      />
    ),
  }
}

function draftOf({ name, status, tenant_type, goal, aggressiveness }: Tenant): Draft {
  return { name, status, tenant_type, goal, aggressiveness }
}

const FIELDS: ComparedField<Draft>[] = [
  { label: 'Tenant Name', text: ({ name }) => name },
  { label: 'Status', text: ({ status }) => labelOf(STATUS_OPTIONS, status) },
  { label: 'Business Type', text: ({ tenant_type }) => labelOf(TYPE_OPTIONS, tenant_type) },
  { label: 'Goal', text: ({ goal }) => goal },
  { label: 'Aggressiveness', text: ({ aggressiveness }) => aggressiveness.toFixed(1) },
]

function labelOf(options: readonly { value: string; label: string }[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value
}
