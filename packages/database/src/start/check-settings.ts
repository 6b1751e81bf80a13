import { sql } from 'kysely'
import { OUR_SETTINGS } from '#src/connection/session-settings.ts'
import { type Checked, placeOf } from './start-checks.ts'
import { StartError } from './start-error.ts'

/** Refuses a pooler that keeps our settings from the session (PgBouncer: `ignore_startup_parameters`). */
export async function checkSettings({ db, url, variable }: Checked): Promise<void> {
  // No server has our value by default.
  const { rows } = await sql<{ digits: string }>`select current_setting('extra_float_digits') as digits`.execute(db)
  if (rows[0]?.digits === String(OUR_SETTINGS.extra_float_digits)) return
  throw new StartError(
    `A pooler at ${placeOf(url)} ignores the settings of our sessions. Remove options from its ignore_startup_parameters, or set ${variable} to the address of PostgreSQL itself.`,
  )
}
