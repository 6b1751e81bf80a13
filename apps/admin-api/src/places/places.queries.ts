import type { Database } from '@switchboard/database/tables'
import { sql, type Transaction } from 'kysely'

/** Serializes the look-ups of an admin across processes until the transaction ends. */
export async function lockLookups(trx: Transaction<Database>, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('place look-ups of ' || ${userId}, 0))`.execute(trx)
}

/** Deletes the look-ups of an admin up to a moment. */
export async function deleteLookupsUntil(trx: Transaction<Database>, userId: string, moment: Date): Promise<void> {
  await trx.deleteFrom('place_lookups').where('user_id', '=', userId).where('at', '<=', moment.toISOString()).execute()
}

/** Number of stored look-ups of an admin, and the time of the oldest. */
export async function lookupsOf(trx: Transaction<Database>, userId: string) {
  return await trx
    .selectFrom('place_lookups')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<string | null>('at').as('oldest_at')])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}

export async function insertLookup(trx: Transaction<Database>, userId: string, at: Date): Promise<void> {
  await trx.insertInto('place_lookups').values({ user_id: userId, at }).execute()
}
