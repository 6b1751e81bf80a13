import { lastChangeOf } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { stale } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'

/**
 * Throws 412 if `current` has another version than expected, with the current record, its
 * last editor and the time of the edit. `noun` is the name of the record in the sentence.
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
