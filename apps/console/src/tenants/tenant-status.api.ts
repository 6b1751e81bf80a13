import { previewTenantStatus, type StatusEffects, type Tenant, updateTenant } from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { failureText } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { notify } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { effectsNow } from './tenant-labels.ts'

const DONE = { active: 'activated', inactive: 'deactivated' } satisfies Record<TenantStatus, string>

/** Counts of the records that a new status of these tenants would affect. */
export function statusEffectsQuery(status: TenantStatus, ids: string[]) {
  return queryOptions({
    queryKey: ['tenants', 'status-effects', status, ids],
    queryFn: ({ signal }) => call(previewTenantStatus, { body: { status, ids }, signal }),
    // The texts have a form without the counts.
    retry: false,
  })
}

/** Activates tenants. Reports the effect, with Undo, or the failure, with another try. */
export function useActivateTenant(onActivated?: () => void) {
  const activation = useMutation({
    mutationFn: async ({ id, name }: Pick<Tenant, 'id' | 'name'>) => {
      const effects = await queryClient.fetchQuery(statusEffectsQuery('active', [id]))
      await saveStatus(id, 'active')
      reportStatus({ id, name, status: 'active' }, { effects })
    },
    onSuccess: () => onActivated?.(),
    onError: (error, tenant) =>
      notify('bad', failureText(error, `${tenant.name} could not be activated.`), {
        about: tenant.id,
        onRetry: () => activation.mutate(tenant),
      }),
  })
  return activation
}

/** Deactivates a tenant, reports the effect and offers Undo. */
export async function deactivateTenant(
  { id, name }: Pick<Tenant, 'id' | 'name'>,
  effects: StatusEffects | undefined,
): Promise<void> {
  await saveStatus(id, 'inactive')
  reportStatus({ id, name, status: 'inactive' }, { effects })
}

/**
 * Reports a new status with its effect, if known, and offers Undo, which restores the status alone. `isUpdated`: other
 * fields were saved with the status.
 */
export function reportStatus(
  { id, name, status }: Pick<Tenant, 'id' | 'name' | 'status'>,
  { effects, isUpdated = false }: { effects: StatusEffects | undefined; isUpdated?: boolean },
): void {
  const before = status === 'active' ? 'inactive' : 'active'
  const withEffects = (sentence: string, of: TenantStatus) =>
    effects === undefined ? sentence : `${sentence} ${effectsNow(of, effects)}`.trim()
  notify('ok', withEffects(`${name} was ${isUpdated ? 'updated and ' : ''}${DONE[status]}.`, status), {
    about: id,
    onUndo: async () => {
      await saveStatus(id, before)
      return withEffects(`${name} is ${before} again.`, before)
    },
  })
}

/** Saves the status alone and without a version: edits of other fields stay. Other screens show the status too. */
async function saveStatus(id: string, status: TenantStatus): Promise<void> {
  try {
    await call(updateTenant, { params: { id }, body: { status } })
  } finally {
    void queryClient.invalidateQueries()
  }
}
