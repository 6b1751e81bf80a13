import { PORTAL_SIGN_INS_KEPT_DAYS } from '@switchboard/contract/users/portal-sign-ins'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Rows per statement. The next minute deletes more. */
const DELETED_MAX = 10_000

/** Deletes sign-ins to portals after `PORTAL_SIGN_INS_KEPT_DAYS`. */
export async function deleteOldPortalSignIns(db: Kysely<Database>): Promise<void> {
  await sql`delete from portal_sign_ins where id = any(array(
    select id from portal_sign_ins where at < now() - make_interval(days => ${PORTAL_SIGN_INS_KEPT_DAYS})
    order by at limit ${sql.lit(DELETED_MAX)}
  ))`.execute(db)
}
