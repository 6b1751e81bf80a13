import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import { ALERT_DAYS, alertKind } from '@switchboard/contract/signals/alerts'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Mails are kept this long to answer questions about their delivery. */
const MAIL_DAYS = 30
const BATCH = 1_000

const EVENTS = alertKind.options.filter((kind) => ALERT_KINDS[kind].is_event === true)

/** Deletes old mails, and the alerts that have been over for long or tell of something long ago. */
export async function deleteOldAlerts(db: Kysely<Database>): Promise<void> {
  await sql`delete from alert_mails where id in (
    select id from alert_mails where created_at < now() - ${MAIL_DAYS} * interval '1 day'
    limit ${BATCH} for update skip locked
  )`.execute(db)
  await sql`delete from alerts where id in (
    select id from alerts
    where coalesce(resolved_at, opened_at) < now() - ${ALERT_DAYS} * interval '1 day'
      and (resolved_at is not null or kind = any(${EVENTS}))
    limit ${BATCH} for update skip locked
  )`.execute(db)
}
