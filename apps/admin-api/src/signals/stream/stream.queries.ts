import type { StreamedEntry } from '@switchboard/contract/signals/stream'
import { isChange } from '@switchboard/database/audit/audit.queries'
import { entriesAfter } from '@switchboard/database/audit/read-log'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'

/** The sealed entries after a position, oldest first, at most `limit`, with the current names of their actors. */
export async function streamedEntriesAfter(db: Kysely<Database>, seq: number, limit: number): Promise<StreamedEntry[]> {
  const entries = await entriesAfter(db, seq, limit)
  const actors = new Set(entries.flatMap(({ actor_id }) => actor_id ?? []))
  const named =
    actors.size === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'name'])
          .where('id', 'in', [...actors])
          .execute()
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return entries.map((entry) => ({
    seq: entry.seq,
    at: entry.at,
    actor_id: entry.actor_id,
    actor_email: entry.actor_email,
    actor_name: names.get(entry.actor_id ?? '') ?? null,
    action: entry.action,
    outcome: entry.outcome,
    target_type: entry.target_type,
    target_id: entry.target_id,
    target_name: entry.target_name,
    tenant_id: entry.tenant_id,
    request_id: entry.request_id,
    is_change: isChange(entry),
  }))
}
