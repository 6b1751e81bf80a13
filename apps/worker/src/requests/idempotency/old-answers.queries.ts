import { IDEMPOTENCY_HOURS } from '@switchboard/contract/wire/idempotency'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Rows per statement. The next minute deletes more. */
const DELETED_MAX = 10_000

/** Deletes the answers kept for `Idempotency-Key` after 24 hours. */
export async function deleteOldAnswers(db: Kysely<Database>): Promise<void> {
  await sql`delete from idempotency_keys where id = any(array(
    select id from idempotency_keys where claimed_at <= now() - make_interval(hours => ${IDEMPOTENCY_HOURS})
    limit ${sql.lit(DELETED_MAX)} for update skip locked
  ))`.execute(db)
}
