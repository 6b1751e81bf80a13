import type { TenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { notFound } from '@switchboard/server/http/errors'
import { countActivityOf } from '#src/activity/activity.queries.ts'
import { sealEntries } from '#src/activity/activity.service.ts'
import { countReviewsOf } from '#src/reviews/review-list.queries.ts'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { deactivatedAt } from './key-diagnosis.queries.ts'
import { countKeysInUse, refusedByStatus } from './tenant-health.queries.ts'

/** The health of a tenant. Throws 404. */
export async function healthOfTenant(deps: Pick<Deps, 'db' | 'log'>, id: string): Promise<TenantHealth> {
  const { db } = deps
  const tenant = await tenantOfKeys(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  await sealEntries(deps)
  const inactive_since = tenant.status === 'active' ? null : await deactivatedAt(db, id)
  const [keys, activity_count, review_count, refused_since] = await Promise.all([
    countKeysInUse(db, id),
    countActivityOf(db, id),
    countReviewsOf(db, id),
    inactive_since === null ? 0 : refusedByStatus(db, id, inactive_since),
  ])
  return { ...keys, inactive_since, refused_since, activity_count, review_count }
}
