import type { Tenant } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { counted } from '#src/lib/format/count.ts'
import { ConfirmDialog } from '#src/ui/dialog/confirm-dialog.tsx'
import { effectsAhead } from './tenant-labels.ts'
import { statusEffectsQuery } from './tenant-status.api.ts'

type Submit = (event?: SubmitEvent<HTMLFormElement>) => void

/**
 * The consequences of a new status in a form over `saved`: the hint, the label of the button, and a question before keys
 * that are in use are refused.
 */
export function useStatusChange(saved: Tenant, status: TenantStatus, form: { submit: Submit; isValid: () => boolean }) {
  const [isAsking, setIsAsking] = useState(false)
  const other = saved.status === 'active' ? 'inactive' : 'active'
  const effects = useQuery(statusEffectsQuery(other, [saved.id]))
  const isChanged = status !== saved.status
  const isDeactivation = isChanged && status === 'inactive'
  const used = effects.data?.used_api_key_count

  function submit(event?: SubmitEvent<HTMLFormElement>) {
    if (!isDeactivation || used === 0 || !form.isValid()) return form.submit(event)
    event?.preventDefault()
    setIsAsking(true)
  }

  return {
    effects: effects.data,
    hint: isChanged && !effects.isPending && hintOf(status, effects.data),
    submitLabel: isDeactivation ? 'Deactivate tenant' : 'Save changes',
    isSubmitDisabled: isChanged && effects.isPending,
    submit,
    question: isAsking && (
      <ConfirmDialog
        title="Deactivate tenant"
        tone="warning"
        confirmLabel="Deactivate tenant"
        onConfirm={() => {
          setIsAsking(false)
          form.submit()
        }}
        onClose={() => setIsAsking(false)}
      >
        <p>
          {used === undefined ? 'Keys' : counted(used, 'key')} of <strong dir="auto">{saved.name}</strong>{' '}
          {used === undefined ? 'may have been' : used === 1 ? 'was' : 'were'} used in the last hour. Callers are
          refused within a second.
        </p>
      </ConfirmDialog>
    ),
  }
}

function hintOf(status: TenantStatus, effects: Parameters<typeof effectsAhead>[1] | undefined): string {
  if (effects !== undefined) return effectsAhead(status, effects)
  return status === 'active' ? 'Keys will be accepted and tasks will run.' : 'Keys will be refused and tasks skipped.'
}
