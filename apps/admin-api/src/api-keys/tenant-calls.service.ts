import type { KeyCalls } from '@switchboard/contract/api-keys/key-calls'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import { tenantOfKeys } from './api-keys.queries.ts'
import { daysOfKeys, hoursOfKeys, liveKeysOfTenant } from './key-diagnosis.queries.ts'

/** The calls of all live keys of a tenant. Throws 404. */
export async function callsOfTenant({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<KeyCalls> {
  if ((await tenantOfKeys(db, id)) === undefined) throw notFound('Tenant')
  const at = now()
  const [hours, days] = await Promise.all([
    hoursOfKeys(db, liveKeysOfTenant(id), at),
    daysOfKeys(db, liveKeysOfTenant(id), at),
  ])
  return { hours, days }
}
