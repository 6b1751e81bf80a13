import type { Kysely, Selectable } from 'kysely'
import type { Database } from '#src/tables.ts'

/** A sealed entry of the audit log. */
export type LogEntry = Selectable<Database['audit_log']>

/**
 * The sealed entries after the one with number `seq`, oldest first, at most `limit`. Their order never changes and no entry
 * comes in between later, so the last number is the position of a reader.
 */
export async function entriesAfter(db: Kysely<Database>, seq: number, limit: number): Promise<LogEntry[]> {
  return await db.selectFrom('audit_log').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit).execute()
}

/** The number of the last sealed entry: where a reader begins that wants only what comes. 0 for an empty log. */
export async function endOfLog(db: Kysely<Database>): Promise<number> {
  return (await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq
}
