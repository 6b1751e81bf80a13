import { lastChangeOf } from '@switchboard/database/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { stale } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'

/**
 * Throws 412 when a version is expected and `current` has another one: somebody has saved since. What they saved, who
 * they are and when it was comes with the refusal. `noun` is what the sentence calls the thing.
 */
export async function refuseStale(
  trx: Transaction<Database>,
  noun: string,
  current: { id: string; version: number },
  expectedVersion: number | null,
): Promise<void> {
  if (expectedVersion === null || expectedVersion === current.version) return
  const change = await lastChangeOf(trx, current.id)
  throw stale(`Another admin has changed this ${noun} since you opened it.`, {
    current,
    changed_by: change?.actor_email ?? null,
    changed_at: change?.at ?? null,
  })
}
