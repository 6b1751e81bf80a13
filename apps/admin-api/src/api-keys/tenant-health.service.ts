import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { notFound } from '@switchboard/server/http/errors'
import { countActivityOf } from '#src/activity/activity.service.ts'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { deactivatedAt } from './key-diagnosis.queries.ts'
import { countKeysInUse, countReviewsOf, refusedByStatus } from './tenant-health.queries.ts'

/** The health of a tenant. Throws 404. */
export async function healthOfTenant(deps: Pick<Deps, 'db' | 'log'>, id: string): Promise<TenantHealth> {
  const { db } = deps
  const tenant = await tenantOfKeys(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  // First, because it seals the entries that are read next.
  const activity_count = await countActivityOf(deps, id)
  const inactive_since = tenant.status === 'active' ? null : await deactivatedAt(db, id)
  const [keys, review_count, refused_since] = await Promise.all([
    countKeysInUse(db, id),
    countReviewsOf(db, id),
    inactive_since === null ? 0 : refusedByStatus(db, id, inactive_since),
  ])
  return { ...keys, inactive_since, refused_since, activity_count, review_count }
}
