import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/** The last problem of the chain that the log tells of. Only one transaction at a time gets past this call. */
export async function lockLastProblem(trx: Transaction<Database>, action: string): Promise<string | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${action}, 0))`.execute(trx)
  const last = await trx
    .selectFrom('audit_entries')
    .select('reason')
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.reason ?? null
}
