import type { CurrentAdmin } from '@switchboard/contract/admins'
import type { Database } from '@switchboard/database/tables'
import type { Insertable, Kysely, Selectable } from 'kysely'

export type SessionRow = Pick<Selectable<Database['sessions']>, 'last_seen_at'> & { session_id: string } & CurrentAdmin

/** The living session of a token with its admin, who must still be an active super admin. */
export async function livingSession(
  db: Kysely<Database>,
  tokenHash: Buffer,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<SessionRow | undefined> {
  return await db
    .selectFrom('sessions')
    .innerJoin('admins', 'admins.id', 'sessions.admin_id')
    .select(['sessions.id as session_id', 'sessions.last_seen_at'])
    .select(['admins.id', 'admins.email', 'admins.role', 'admins.is_active', 'admins.created_at'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now.toISOString())
    .where('sessions.last_seen_at', '>', idleSince.toISOString())
    .where('admins.is_active', '=', true)
    .where('admins.role', '=', 'super_admin')
    .executeTakeFirst()
}

export async function insertSession(db: Kysely<Database>, session: Insertable<Database['sessions']>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function touchSession(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}

export async function deleteSession(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function deleteSessionsOfAdmin(db: Kysely<Database>, adminId: string): Promise<void> {
  await db.deleteFrom('sessions').where('admin_id', '=', adminId).execute()
}

export async function deleteExpiredSessions(db: Kysely<Database>, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now.toISOString()).execute()
}
