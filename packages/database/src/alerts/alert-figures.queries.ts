import { ALERT_KINDS } from '@switchboard/contract/signals/alert-kinds'
import { type AlertKind, alertKind } from '@switchboard/contract/signals/alerts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** Kinds whose alerts are open until their cause is gone. */
export const RESOLVED_KINDS: readonly AlertKind[] = alertKind.options.filter(
  (kind) => ALERT_KINDS[kind].is_event !== true,
)

/** What operators watch of the alerts. */
export type AlertFigures = {
  /** Number of open alerts by kind, without kinds that have none. */
  open: { [Kind in AlertKind]?: number }
  /** The last search for causes as Unix time, 0 before the first, and how long ago it was, in seconds. */
  evaluated_at: number
  evaluated_seconds: number
  /** Mails of the last day that were given up, and why the newest one was. */
  mails_failed: number
  mail_problem: string | null
}

/** Reads the figures of the alerts in one statement. */
export async function alertFigures(db: Kysely<Database>): Promise<AlertFigures> {
  const { rows } = await sql<AlertFigures>`
    select
      (
        select coalesce(json_object_agg(kind, count), '{}') from (
          select kind, count(*) from alerts where resolved_at is null and kind = any(${RESOLVED_KINDS}) group by kind
        ) as counted
      ) as open,
      coalesce(extract(epoch from evaluated_at), 0)::float8 as evaluated_at,
      coalesce(extract(epoch from now() - evaluated_at), 0)::float8 as evaluated_seconds,
      failed.count as mails_failed, failed.problem as mail_problem
    from alert_reader cross join (
      select count(*), (array_agg(mail_problem order by created_at desc))[1] as problem from alert_mails
      where mail_state = 'failed' and created_at > now() - interval '1 day'
    ) as failed`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}
