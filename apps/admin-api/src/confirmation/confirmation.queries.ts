import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'

export async function updateConfirmedAt(db: Kysely<Database>, sessionId: string, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: at }).where('id', '=', sessionId).execute()
}
