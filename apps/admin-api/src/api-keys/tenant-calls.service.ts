import type { TenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { daysOfKeys, deactivatedAt, hoursOfKeys, keysOfOneTenant } from './key-diagnosis.queries.ts'
import { countKeysInUse, refusedByStatus } from './tenant-calls.queries.ts'

/** The calls of all keys of a tenant. Throws 404. */
export async function callsOfTenant({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<TenantCalls> {
  const at = now()
  const tenant = await tenantOfKeys(db, id)
  if (tenant === undefined) throw notFound('Tenant')
  const inactive_since = tenant.status === 'active' ? null : await deactivatedAt(db, id)
  const [counts, hours, days, refused_since] = await Promise.all([
    countKeysInUse(db, id),
    hoursOfKeys(db, keysOfOneTenant(id), at),
    daysOfKeys(db, keysOfOneTenant(id), at),
    inactive_since === null ? 0 : refusedByStatus(db, id, inactive_since),
  ])
  return { ...counts, hours, days, inactive_since, refused_since }
}
