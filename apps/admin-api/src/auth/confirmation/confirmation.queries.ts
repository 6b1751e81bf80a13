import type { Database } from '@switchboard/database/tables'
import type { Kysely, Updateable } from 'kysely'

export async function updateConfirmedAt(
  db: Kysely<Database>,
  sessionId: string,
  confirmed: Pick<Updateable<Database['sessions']>, 'confirmed_at' | 'confirmed_with_factor_at'>,
): Promise<void> {
  await db.updateTable('sessions').set(confirmed).where('id', '=', sessionId).execute()
}
