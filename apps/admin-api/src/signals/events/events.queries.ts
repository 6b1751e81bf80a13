import type { LogEntry } from '@switchboard/database/audit/read-log'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** The position before the oldest entry that is still in the log, and the position of the last one. */
export async function boundsOfLog(db: Kysely<Database>): Promise<{ start: number; end: number }> {
  return await db
    .selectFrom('audit_head')
    .select(sql<number>`coalesce((select min(seq) - 1 from audit_log), seq)`.as('start'))
    .select('seq as end')
    .executeTakeFirstOrThrow()
}

/** The entries of these actions after a position, up to and with another one, oldest first. No refusals. */
export async function doneEntries(
  db: Kysely<Database>,
  { after, last, actions, limit }: { after: number; last: number; actions: readonly string[]; limit: number },
): Promise<LogEntry[]> {
  return await db
    .selectFrom('audit_log')
    .selectAll()
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .where('outcome', '=', 'done')
    .where('action', 'in', actions)
    .orderBy('seq')
    .limit(limit)
    .execute()
}
