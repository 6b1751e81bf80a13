import { DIAGNOSIS_DAYS } from '@switchboard/contract/api-keys/key-calls'
import type { KeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import type { ApiKeyRow } from '@switchboard/contract/api-keys/key-list'
import { keyState } from '@switchboard/contract/api-keys/key-state'
import { notFound } from '@switchboard/server/http/errors'
import type { Deps } from '#src/deps.ts'
import * as queries from './key-diagnosis.queries.ts'

type DiagnosisDeps = Pick<Deps, 'db' | 'now'>

/** Explains the refused calls of a key. Throws 404. */
export async function diagnoseApiKey({ db, now }: DiagnosisDeps, id: string): Promise<KeyDiagnosis> {
  const at = now()
  const key = await queries.apiKeyRowById(db, id)
  if (key === undefined) throw notFound('API key')
  const [last_used_at, refused_since, hours, days, refused_origins] = await Promise.all([
    queries.lastUseOfKey(db, id),
    refusedSince({ db, now }, key),
    queries.hoursOfKeys(db, queries.oneKey(id), at),
    queries.daysOfKeys(db, queries.oneKey(id), { at, count: DIAGNOSIS_DAYS }),
    queries.refusedOriginsOfKey(db, id),
  ])
  return { key: { ...key, last_used_at }, refused_since, hours, days, refused_origins }
}

/** When the present state of a key began to refuse calls; null for a working key, or when unknown. */
async function refusedSince({ db, now }: DiagnosisDeps, key: ApiKeyRow): Promise<string | null> {
  switch (keyState(key, { status: key.tenant_status }, now().getTime())) {
    case 'working':
    case 'expiring':
    case 'in_grace':
      return null
    case 'revoked':
      return key.revoked_at
    case 'expired':
    case 'grace_ended':
      return key.expires_at
    case 'switched_off':
      return await queries.switchedOffAt(db, key.id)
    case 'blocked':
      return later((await queries.suspensionOf(db, key.tenant_id))?.at ?? null, key.created_at)
  }
}

/** A key generated for an inactive tenant has been refused since its creation. */
function later(since: string | null, created_at: string): string | null {
  return since !== null && since < created_at ? created_at : since
}
