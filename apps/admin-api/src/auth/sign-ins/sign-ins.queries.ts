import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql } from 'kysely'

type Reader = { id: string; session_id: string }

export async function knownDevicesOf(db: Kysely<Database>, userId: string) {
  return await db
    .selectFrom('known_devices')
    .select(['network', 'device', 'last_at'])
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteDevicesUnusedSince(db: Kysely<Database>, userId: string, moment: Date): Promise<void> {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('last_at', '<', moment.toISOString())
    .execute()
}

/** Inserts a device, or moves the last sign-in of a known one. Returns the id. */
export async function insertKnownDevice(
  db: Kysely<Database>,
  device: Insertable<Database['known_devices']>,
): Promise<string> {
  const { id } = await db
    .insertInto('known_devices')
    .values(device)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'network', 'device']).doUpdateSet({ last_at: device.last_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Open notices of the account, newest first, without the sign-in of the reading session. */
export async function noticesOf(db: Kysely<Database>, reader: Reader, limit: number) {
  return await openNotices(db, reader)
    .select(['id', 'first_at as at', 'address', 'device', 'mail_state', 'mail_problem'])
    .orderBy('first_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns false for a notice that the session cannot see. */
export async function closeNotice(db: Kysely<Database>, reader: Reader, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('known_devices')
    .set({ is_noticed: true })
    .where('user_id', '=', reader.id)
    .where('id', 'in', openNotices(db, reader).select('id').where('id', '=', id))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function openNotices(db: Kysely<Database>, reader: Reader) {
  return db
    .selectFrom('known_devices')
    .where('user_id', '=', reader.id)
    .where('is_noticed', '=', false)
    .where((row) => row.or([row('session_id', 'is', null), row('session_id', '<>', reader.session_id)]))
}

/** The successful sign-ins of an account, newest first. */
export async function signInsOf(
  db: Kysely<Database>,
  { actorId, ...signIns }: { actorId: string; actions: string[]; limit: number },
) {
  return await newestSignIns(db, signIns).where('actor_id', '=', actorId).execute()
}

/** Refused sign-ins with an email address, newest first: their rows have no account. */
export async function refusedSignInsAt(
  db: Kysely<Database>,
  { email, ...signIns }: { email: string; actions: string[]; limit: number },
) {
  return await newestSignIns(db, signIns)
    .where('actor_id', 'is', null)
    .where(sql<boolean>`lower(actor_email) = lower(${foldEmail(email)})`)
    .execute()
}

function newestSignIns(db: Kysely<Database>, { actions, limit }: { actions: string[]; limit: number }) {
  return db
    .selectFrom('audit_entries')
    .select(['seq', 'at', 'outcome', 'reason', 'address', 'changes'])
    .where('action', 'in', actions)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
}
