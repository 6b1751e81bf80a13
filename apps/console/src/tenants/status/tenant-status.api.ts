import {
  previewTenantStatus,
  staleTenant,
  type StatusEffects,
  type Suspension,
  type Tenant,
  updateTenant,
} from '@switchboard/contract/tenants'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { CallError, failureText } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { timeText } from '#src/lib/format/moment.ts'
import { notify, type UndoResult } from '#src/lib/notify.ts'
import { queryClient } from '#src/lib/query-client.ts'
import { effectsNow } from '#src/tenants/tenant-labels.ts'
import { tenantQuery } from '#src/tenants/tenants.api.ts'

const DONE = { active: 'reactivated', inactive: 'suspended' } satisfies Record<TenantStatus, string>

type Before = Pick<Tenant, 'status'> & Suspension

/** Counts of the records that a new status of these tenants would affect. */
export function statusEffectsQuery(status: TenantStatus, ids: string[]) {
  return queryOptions({
    queryKey: ['tenants', 'status-effects', status, ids],
    queryFn: ({ signal }) => call(previewTenantStatus, { body: { status, ids }, signal }),
    // The texts have a form without the counts.
    retry: false,
  })
}

/** Reactivates tenants. Reports the effect, with Undo, or the failure, with "Try Again". */
export function useReactivateTenant(onReactivated?: () => void) {
  const reactivation = useMutation({
    mutationFn: async ({ id }: Pick<Tenant, 'id' | 'name'>) => {
      const [effects, before] = await Promise.all([
        queryClient.fetchQuery(statusEffectsQuery('active', [id])),
        queryClient.fetchQuery(tenantQuery(id)),
      ])
      const saved = await saveStatus(id, { status: 'active' })
      reportStatus(before ?? saved, saved, { effects })
    },
    onSuccess: () => onReactivated?.(),
    onError: (error, tenant) =>
      notify('bad', failureText(error, `${tenant.name} could not be reactivated.`), {
        about: tenant.id,
        onRetry: () => reactivation.mutate(tenant),
      }),
  })
  return reactivation
}

/**
 * Reports a new status with its effect, if known, and offers Undo, which restores only the status and the suspension of
 * the saved version.
 * `isUpdated`: other fields were saved with the status. `done`: the past participle of the change.
 */
export function reportStatus(
  before: Before,
  saved: Pick<Tenant, 'id' | 'name' | 'status' | 'version'>,
  {
    effects,
    isUpdated = false,
    done = DONE[saved.status],
  }: { effects: StatusEffects | undefined; isUpdated?: boolean; done?: string },
): void {
  const { id, name, status } = saved
  const withEffects = (sentence: string, of: TenantStatus) =>
    effects === undefined ? sentence : `${sentence} ${effectsNow(of, effects)}`.trim()
  notify('ok', withEffects(`${name} was ${isUpdated ? 'updated and ' : ''}${done}.`, status), {
    about: id,
    onUndo: () => undoStatus(before, saved, withEffects(`${name} is ${before.status} again.`, before.status)),
  })
}

/** Reports a suspension, or the change of its reason and end. */
export function reportSuspension(before: Before, saved: Tenant, effects: StatusEffects | undefined): void {
  const { id, name, suspended_until: until } = saved
  const end = until === null ? '' : ` until ${timeText(until)}`
  if (before.status !== saved.status) return reportStatus(before, saved, { effects, done: `suspended${end}` })
  notify('ok', `${name} is suspended${end || ' without an end'}.`, {
    about: id,
    onUndo: () => undoStatus(before, saved, `The suspension of ${name} is as before.`),
  })
}

function restored({ status, suspension_reason, suspended_until }: Before): Before {
  return status === 'active'
    ? { status, suspension_reason: null, suspended_until: null }
    : { status, suspension_reason, suspended_until }
}

/** Restores the status and the suspension, unless another admin has changed the tenant since. `done`: the report of a success. */
async function undoStatus(
  before: Before,
  { id, name, version }: Pick<Tenant, 'id' | 'name' | 'version'>,
  done: string,
): Promise<UndoResult> {
  try {
    await saveStatus(id, restored(before), version)
    return done
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 412) throw error
    const { data } = staleTenant.safeParse(error.body)
    return { tone: 'bad', text: `Not undone: ${data?.changed_by ?? 'Another admin'} has changed ${name} since.` }
  }
}

/** Saves the status of a version, or of any version: edits of other fields stay. Other screens show the status too. */
async function saveStatus(
  id: string,
  body: Pick<Tenant, 'status'> & Partial<Suspension>,
  ifMatch?: number,
): Promise<Tenant> {
  try {
    return await call(updateTenant, { params: { id }, body, ...(ifMatch !== undefined && { ifMatch }) })
  } finally {
    void queryClient.invalidateQueries()
  }
}
