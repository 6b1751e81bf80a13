import { Input, TextInput } from '@mantine/core'
import { staleTenant, SUSPENSION_REASON_MAX, type Tenant } from '@switchboard/contract/tenants'
import { useQuery } from '@tanstack/react-query'
import { momentText } from '#src/lib/format/moment.ts'
import { DialogForm } from '#src/ui/form/dialog-form.tsx'
import { type ComparedField, differences } from '#src/ui/form/differences.ts'
import { SegmentedControl } from '#src/ui/form/segmented-control.tsx'
import { RecordConflict } from '#src/ui/form/record-conflict.tsx'
import { useFormFrame } from '#src/ui/form/use-form-frame.ts'
import css from './suspend-tenant-dialog.module.css'
import { draftOf, END_OPTIONS, endErrors, endOf, endText } from './suspension-end.ts'
import { SuspensionEffects } from './suspension-effects.tsx'
import { STATUS_BADGES } from '#src/tenants/tenant-status-labels.ts'
import { reportSuspension, statusEffectsQuery } from './tenant-status.api.ts'
import { useUpdateTenant } from '#src/tenants/tenants.api.ts'

/** Suspends an active tenant, or edits the reason and the end of a suspension. */
export function SuspendTenantDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const update = useUpdateTenant()
  const isNew = tenant.status === 'active'
  const effects = useQuery({ ...statusEffectsQuery('inactive', [tenant.id]), enabled: isNew })
  const form = useFormFrame({
    initialValues: draftOf(tenant),
    validate: (values) => endErrors(values, tenant),
    record: tenant,
    about: { id: tenant.id, noun: 'tenant' },
    stale: staleTenant,
    send: async (values, latest) => {
      const before = latest ?? tenant
      const suspension_reason = values.suspension_reason.trim() || null
      const body = { status: 'inactive', suspension_reason, suspended_until: endOf(values, tenant) } as const
      return { before, saved: await update.mutateAsync({ tenant: before, body }) }
    },
    onSaved: ({ before, saved }) => {
      onClose()
      reportSuspension(before, saved, effects.data)
    },
    failure: 'Failed to update tenant',
  })
  const { values } = form
  const end = endOf(values, tenant)

  return (
    <DialogForm
      title={isNew ? 'Suspend Tenant' : 'Edit Suspension'}
      form={form}
      submit={isNew ? 'Suspend Tenant' : 'Save Changes'}
      isDanger={isNew}
      submitting="Updating..."
      isSubmitDisabled={isNew && effects.isPending}
      onClose={onClose}
    >
      <RecordConflict
        form={form}
        draftOf={draftOf}
        differencesTo={(saved) =>
          differences(FIELDS, saved, {
            status: 'inactive',
            suspension_reason: values.suspension_reason.trim(),
            suspended_until: end ?? null,
          })
        }
      />
      {isNew && !effects.isPending && <SuspensionEffects tenant={tenant} effects={effects.data} />}
      <TextInput
        label="Reason"
        placeholder="Optional"
        maxLength={SUSPENSION_REASON_MAX}
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('suspension_reason')}
      />
      <Input.Wrapper label="End" labelElement="div" description={<span aria-live="polite">{endText(end)}</span>}>
        <div className={css.end}>
          <SegmentedControl label="End" options={END_OPTIONS} {...form.control('end')} />
        </div>
      </Input.Wrapper>
      {values.end === 'date' && (
        <TextInput label="Date and time" type="datetime-local" required {...form.getInputProps('suspended_until')} />
      )}
    </DialogForm>
  )
}

const FIELDS: ComparedField<Pick<Tenant, 'status' | 'suspension_reason' | 'suspended_until'>>[] = [
  { label: 'Status', text: ({ status }) => STATUS_BADGES[status].text },
  { label: 'Reason', text: ({ suspension_reason }) => suspension_reason ?? '' },
  {
    label: 'End',
    text: ({ suspended_until }) => (suspended_until === null ? 'No end' : momentText(suspended_until)),
  },
]
