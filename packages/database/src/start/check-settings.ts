import { sql } from 'kysely'
import { OUR_SETTINGS } from '#src/connection/session-settings.ts'
import { type Checked, placeOf } from './start-checks.ts'
import { StartError } from './start-error.ts'

/** Refuses a pooler that drops our settings (PgBouncer with `ignore_startup_parameters`). */
export async function checkSettings({ db, url, variable }: Checked): Promise<void> {
  // A setting whose default always differs from our value shows whether the settings arrive.
  const { rows } = await sql<{ digits: string }>`select current_setting('extra_float_digits') as digits`.execute(db)
  if (rows[0]?.digits === String(OUR_SETTINGS.extra_float_digits)) return
  throw new StartError(
    `A pooler at ${placeOf(url)} ignores the settings of our sessions. Remove options from its ignore_startup_parameters, or set ${variable} to the address of PostgreSQL itself.`,
  )
}
