import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Insertable, type Kysely, type Selectable } from 'kysely'
import { whenSet } from '#src/lists/filters.queries.ts'

type SessionRow = Pick<Selectable<Database['sessions']>, 'last_seen_at'> & {
  session_id: string
  confirmed_at: string | null
  must_enroll: boolean
} & Omit<CurrentAdmin, 'must_enroll'>

/** A session is live if its end is after `now` and its last use after `idleSince`. */
export type LiveLimits = { now: Date; idleSince: Date }

/** A prepared statement, because every request runs it. */
const LIVE_SESSION = prepared(`
  select sessions.id as session_id, last_seen_at,
    case when has_factor then confirmed_with_factor_at else confirmed_at end as confirmed_at,
    users.id, email, users.name, role, is_active, users.created_at,
    (select second_factor_required from security_settings) and sso_identity_id is null and not has_factor as must_enroll
  from sessions join users on users.id = user_id
  cross join lateral (
    select exists (select from second_factors where second_factors.user_id = users.id) as has_factor
  ) as of_user
  where token_hash = $1 and expires_at > $2 and last_seen_at > $3 and is_active and tenant_id is null`)

/**
 * The live session of a token, with its account, which must be an active account of the console. If the account has a
 * second factor, only a confirmation with this factor counts.
 */
export async function liveSession(
  db: Kysely<Database>,
  tokenHash: Buffer,
  { now, idleSince }: LiveLimits,
): Promise<SessionRow | undefined> {
  const parameters = [tokenHash, now.toISOString(), idleSince.toISOString()]
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(LIVE_SESSION, parameters))
  return rows[0]
}

/** Returns the id of the session. */
export async function insertSession(db: Kysely<Database>, session: Insertable<Database['sessions']>): Promise<string> {
  const { id } = await db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function touchSession(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

export async function setTokenHash(db: Kysely<Database>, id: string, tokenHash: Buffer): Promise<string> {
  const { expires_at } = await db
    .updateTable('sessions')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** Records that a session was confirmed with a second factor. */
export async function markConfirmedWithFactor(db: Kysely<Database>, id: string, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_with_factor_at: at }).where('id', '=', id).execute()
}

/** Ends a session. The row is kept as proof of a known address for the throttle. */
export async function expireSession(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ expires_at: now }).where('id', '=', id).execute()
}

/** Deletes all sessions of an account, or the session with this id. */
export async function deleteSessionsOfUser(db: Kysely<Database>, userId: string, id?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$call(whenSet(id, (sessions, value) => sessions.where('id', '=', value)))
    .execute()
}

/** Ends all live sessions of an account except the actor's session. Returns their number. */
export async function deleteOtherSessions(
  db: Kysely<Database>,
  actor: { id: string; session_id: string },
  now: Date,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', actor.id)
    .where('id', '<>', actor.session_id)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Deletes a live session of a user. Returns false for an unknown or ended session. */
export async function deleteSessionOfUser(
  db: Kysely<Database>,
  userId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function liveSessionsOfUser(db: Kysely<Database>, userId: string, { now, idleSince }: LiveLimits) {
  return await db
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .where('last_seen_at', '>', idleSince.toISOString())
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function deleteSessionsExpiredBefore(db: Kysely<Database>, moment: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', moment.toISOString()).execute()
}
