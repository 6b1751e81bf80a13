import { connect } from '@switchboard/database/connection/connect'
import { urlOfRunning } from '@switchboard/embedded-postgres/embedded-postgres'
import { sql } from 'kysely'
import type { Server } from './server.ts'

/** Makes every sign-in and confirmation too old for sensitive actions. */
export async function outdateSignIns({ dataDir }: Server): Promise<void> {
  const db = connect(urlOfRunning(dataDir) ?? '')
  try {
    await sql`
      update sessions set confirmed_at = confirmed_at - interval '10 minutes',
        confirmed_with_factor_at = confirmed_with_factor_at - interval '10 minutes'`.execute(db)
  } finally {
    await db.destroy()
  }
}
