import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import {
  GOAL_MAX,
  type StaleTenant,
  staleTenant,
  type Tenant,
  TENANT_NAME_MAX,
  tenantType,
} from '@switchboard/contract/tenants'
import { tenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { type SubmitEvent, useId, useState } from 'react'
import { Dialog, DialogFooter, DialogMain } from '#src/ui/dialog/dialog.tsx'
import { Notice } from '#src/ui/page/notice.tsx'
import { CallError, fieldErrors, messageOf } from '#src/lib/call-error.ts'
import { consoleSettings } from '#src/lib/console-settings.ts'
import { notify } from '#src/lib/notify.ts'
import { AggressivenessSlider } from './aggressiveness-slider.tsx'
import css from './edit-tenant-dialog.module.css'
import { StaleTenantNotice } from './stale-tenant-notice.tsx'
import type { TenantDraft } from './tenant-differences.ts'
import { STATUS_OPTIONS, TYPE_OPTIONS } from './tenant-labels.ts'
import { useUpdateTenant } from './tenants.api.ts'

const NAME_REQUIRED = 'Tenant name is required' // spec §5

/** Edits a tenant, based on the version it was opened with (spec §2, Edit Tenant; design §6, Concurrency). */
export function EditTenantDialog({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const formId = useId()
  const [base, setBase] = useState(tenant)
  const [draft, setDraft] = useState(draftOf(tenant))
  const [nameMissing, setNameMissing] = useState(false)
  const update = useUpdateTenant()
  const busy = update.isPending
  const stale = staleOf(update.error)
  const errors = fieldErrors(update.error)
  const change = (changed: Partial<TenantDraft>) => setDraft({ ...draft, ...changed })

  function save(over: Tenant) {
    const name = draft.name.trim()
    setNameMissing(name === '')
    if (busy || name === '') return
    setBase(over)
    update.mutate(
      { tenant: over, body: { ...draft, name } },
      {
        onSuccess: (saved) => {
          onClose()
          notify('ok', `${saved.name} was updated.`)
        },
      },
    )
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    save(base)
  }

  function takeTheirs({ current }: StaleTenant) {
    setBase(current)
    setDraft(draftOf(current))
    update.reset()
  }

  return (
    <Dialog title="Edit Tenant" busy={busy} onClose={onClose}>
      <DialogMain>
        <form id={formId} className={css.fields} onSubmit={submit} noValidate>
          {stale && (
            <StaleTenantNotice
              stale={stale}
              draft={{ ...draft, name: draft.name.trim() }}
              onReload={() => takeTheirs(stale)}
              onKeepMine={() => save(stale.current)}
            />
          )}
          {update.isError && !stale && !errors.name && !errors.goal && (
            <Notice tone="bad">{messageOf(update.error, 'Failed to update tenant')}</Notice>
          )}
          <TextInput
            label="Tenant name"
            value={draft.name}
            maxLength={TENANT_NAME_MAX}
            error={nameMissing && draft.name.trim() === '' ? NAME_REQUIRED : errors.name}
            required
            data-autofocus
            dir="auto"
            disabled={busy}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <div className={css.pair}>
            <NativeSelect
              label="Status"
              value={draft.status}
              data={STATUS_OPTIONS}
              disabled={busy}
              onChange={(event) => change({ status: tenantStatus.parse(event.currentTarget.value) })}
            />
            <NativeSelect
              label="Business type"
              description="Decides which AI prompts and tools customers experience."
              inputWrapperOrder={['label', 'input', 'description']}
              value={draft.tenant_type}
              data={TYPE_OPTIONS}
              disabled={busy}
              onChange={(event) => change({ tenant_type: tenantType.parse(event.currentTarget.value) })}
            />
          </div>
          <Textarea
            label="Goal"
            description="What the assistant should achieve in a conversation."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={draft.goal}
            maxLength={GOAL_MAX}
            error={errors.goal}
            rows={3}
            dir="auto"
            disabled={busy}
            onChange={(event) => change({ goal: event.currentTarget.value })}
          />
          <AggressivenessSlider
            value={draft.aggressiveness}
            disabled={busy}
            onChange={(aggressiveness) => change({ aggressiveness })}
          />
          <TextInput
            label="Subdomain"
            description="Can't be changed after creation."
            inputWrapperOrder={['label', 'input', 'description']}
            value={`${tenant.subdomain}.${consoleSettings.platform_domain}`}
            classNames={{ input: css.subdomain }}
            readOnly
          />
        </form>
      </DialogMain>
      <DialogFooter>
        <Button variant="default" disabled={busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" form={formId} disabled={busy}>
          {busy ? 'Updating...' : 'Save changes'}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

function draftOf({ name, status, tenant_type, goal, aggressiveness }: Tenant): TenantDraft {
  return { name, status, tenant_type, goal, aggressiveness }
}

function staleOf(error: Error | null): StaleTenant | null {
  if (!(error instanceof CallError) || error.status !== 412) return null
  return staleTenant.safeParse(error.body).data ?? null
}
