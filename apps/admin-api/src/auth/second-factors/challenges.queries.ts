import type { ChallengePurpose } from '@switchboard/database/second-factor-tables'
import type { Database } from '@switchboard/database/tables'
import { CHALLENGE_ANSWERS_MAX } from '@switchboard/contract/auth/challenge'
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'

export type Challenge = Selectable<Database['sign_in_challenges']>

/** Maximum number of expired challenges removed per call. */
const EXPIRED_BATCH = 1_000
/** Maximum number of open sign-ins with only a passkey per address, because anyone may begin one. */
const PER_ADDRESS = 20

export async function insertChallenge(
  db: Kysely<Database>,
  challenge: Insertable<Database['sign_in_challenges']>,
): Promise<string> {
  const { id } = await db.insertInto('sign_in_challenges').values(challenge).returning('id').executeTakeFirstOrThrow()
  return id
}

/** An open challenge: not expired, with answers left. */
export async function openChallengeOf(
  db: Kysely<Database>,
  { id, purpose, at }: { id: string; purpose: ChallengePurpose; at: Date },
): Promise<Challenge | undefined> {
  return await db
    .selectFrom('sign_in_challenges')
    .selectAll()
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at.toISOString())
    .where('failures', '<', CHALLENGE_ANSWERS_MAX)
    .executeTakeFirst()
}

/** Counts an answer as wrong before its check. Returns the number of answers, or `undefined` without an answer left. */
export async function countAnswer(db: Kysely<Database>, id: string): Promise<number | undefined> {
  const counted = await db
    .updateTable('sign_in_challenges')
    .set((row) => ({ failures: row('failures', '+', 1) }))
    .where('id', '=', id)
    .where('failures', '<', CHALLENGE_ANSWERS_MAX)
    .returning('failures')
    .executeTakeFirst()
  return counted?.failures
}

/** Deletes a challenge. Returns false if another answer or a new password has ended the challenge. */
export async function takeChallenge(trx: Transaction<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('sign_in_challenges').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes a batch of expired challenges. Skips rows locked by another process. */
export async function deleteExpiredChallenges(db: Kysely<Database>, at: Date): Promise<void> {
  const expired = db
    .selectFrom('sign_in_challenges')
    .select('id')
    .where('expires_at', '<=', at.toISOString())
    .limit(EXPIRED_BATCH)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('sign_in_challenges').where('id', 'in', expired).execute()
}

/** Deletes all but the newest challenges of an address that name no account. */
export async function deleteOldAnonymousChallenges(db: Kysely<Database>, address: string): Promise<void> {
  const old = db
    .selectFrom('sign_in_challenges')
    .select('id')
    .where('user_id', 'is', null)
    .where('address', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .offset(PER_ADDRESS)
  await db.deleteFrom('sign_in_challenges').where('id', 'in', old).execute()
}
