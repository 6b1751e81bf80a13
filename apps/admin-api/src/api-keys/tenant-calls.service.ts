import { TENANT_CALL_DAYS, type TenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { daysOfKeys, liveKeysOfTenant } from './key-diagnosis.queries.ts'

/** The calls of all live keys of a tenant. Throws 404. */
export async function callsOfTenant({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<TenantCalls> {
  if ((await tenantOfKeys(db, id)) === undefined) throw notFound('Tenant')
  return { days: await daysOfKeys(db, liveKeysOfTenant(id), { at: now(), count: TENANT_CALL_DAYS }) }
}
