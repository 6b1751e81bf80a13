import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql } from 'kysely'

type Claim = Pick<Insertable<Database['idempotency_keys']>, 'id' | 'fingerprint' | 'request_id' | 'claimed_at'>

/** Inserts the row of a call, or replaces a row from before `expired`. Returns false if another call has the key. */
export async function insertClaim(db: Kysely<Database>, claim: Claim, expired: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idempotency_keys')
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...claim, status: null, answer: null })
        .where('idempotency_keys.claimed_at', '<=', expired.toISOString()),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function claimOf(db: Kysely<Database>, id: Buffer) {
  return await db.selectFrom('idempotency_keys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Takes an abandoned row over for a new call. Returns false if another call was faster. */
export async function takeOverClaim(db: Kysely<Database>, claim: Claim, abandoned: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idempotency_keys')
    .set({ request_id: claim.request_id, claimed_at: claim.claimed_at })
    .where('id', '=', claim.id)
    .where('request_id', '=', abandoned)
    .where('status', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the audit log has a change by this request. */
export async function hasChanged(db: Kysely<Database>, requestId: string): Promise<boolean> {
  const found = await db
    .selectFrom('audit_entries')
    .select(sql`1`.as('one'))
    .where('request_id', '=', requestId)
    .where('outcome', '=', 'done')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores the answer of a call that still has its claim. */
export async function storeAnswer(
  db: Kysely<Database>,
  { id, request_id }: Pick<Claim, 'id' | 'request_id'>,
  answer: { status: number; answer: Buffer },
): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set(answer)
    .where('id', '=', id)
    .where('request_id', '=', request_id)
    .execute()
}

export async function deleteClaim(
  db: Kysely<Database>,
  { id, request_id }: Pick<Claim, 'id' | 'request_id'>,
): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('id', '=', id).where('request_id', '=', request_id).execute()
}
