import { DELETION_KEPT_MINUTES } from '@switchboard/contract/wire/deletions'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Rows per statement. The next minute deletes more. */
const DELETED_MAX = 1_000

/** Permanently deletes the rows of deleted users, keys and tasks after ten minutes, once a user has no sign-ins left. */
export async function deleteOldDeletions(db: Kysely<Database>): Promise<void> {
  await sql`delete from deletions where id = any(array(
    select id from deletions where deleted_at <= now() - make_interval(mins => ${DELETION_KEPT_MINUTES})
      and not exists (select from portal_sign_ins where user_id = deletions.id)
    limit ${sql.lit(DELETED_MAX)} for update skip locked
  ))`.execute(db)
}
