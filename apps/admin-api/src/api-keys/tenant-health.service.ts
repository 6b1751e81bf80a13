import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { notFound } from '@switchboard/server/http/errors'
import { countActivityOf } from '#src/activity/activity.service.ts'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { suspensionOf } from './key-diagnosis.queries.ts'
import { countKeysInUse, countReviewsOf, countScheduledTasks, refusedByStatus } from './tenant-health.queries.ts'

/** The health of a tenant. Throws 404. */
export async function healthOfTenant(deps: Pick<Deps, 'db' | 'log'>, id: string): Promise<TenantHealth> {
  const { db } = deps
  const tenant = await tenantOfKeys(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  // First, because it seals the entries that are read next.
  const activity_count = await countActivityOf(deps, id)
  const suspension = tenant.status === 'active' ? null : await suspensionOf(db, id)
  const [keys, scheduled_task_count, review_count, refused_since] = await Promise.all([
    countKeysInUse(db, id),
    countScheduledTasks(db, id),
    countReviewsOf(db, id),
    suspension === null ? 0 : refusedByStatus(db, id, suspension.at),
  ])
  return {
    ...keys,
    inactive_since: suspension?.at ?? null,
    suspended_by: suspension?.actor_email ?? null,
    refused_since,
    scheduled_task_count,
    activity_count,
    review_count,
  }
}
