import type { BackupKind } from '@switchboard/contract/system'
import { IS_READ_ONLY } from '@switchboard/database/connection/pool'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** Ages in seconds; 0 without a record. */
export type Figures = {
  is_read_only: boolean
  oldest_due_task_seconds: number
  runs_waiting: number
  oldest_run_seconds: number
  mails_waiting: number
  oldest_mail_seconds: number
  audit_rows: number
  oldest_unsealed_seconds: number
  database_bytes: number
  /** Unix time; 0 without a backup. */
  last_backup_at: number
  has_backup_failed: boolean
  has_verification_failed: boolean
}

/**
 * The figures of the database in one statement. Small indexes answer each: `tasks_by_next_run`, and the partial index of
 * unfinished runs. A run waits from its creation, or from the time of its retry.
 */
export async function databaseFigures(db: Kysely<Database>): Promise<Figures> {
  const { rows } = await sql<Figures>`
    with
      waiting_runs as (
        select count(*) as count, ${ageOf(sql`min(coalesce(retry_at, created_at))`)} as age
        from runs where finished_at is null and (outcome = 'queued' or retry_at <= now())
      ),
      waiting_mails as (
        select count(*) as count, ${ageOf(sql`min(at)`)} as age
        from (
          select created_at as at from links where mail_state = 'queued'
          union all
          select first_at from known_devices where mail_state = 'queued'
          union all
          select changed_at from account_notices where mail_state = 'queued'
          union all
          select created_at from alert_mails where mail_state = 'queued'
        ) as mails
      )
    select
      ${sql.raw(IS_READ_ONLY)} as is_read_only,
      (select ${ageOf(sql`min(next_run)`)} from tasks where next_run <= now()) as oldest_due_task_seconds,
      waiting_runs.count as runs_waiting, waiting_runs.age as oldest_run_seconds,
      waiting_mails.count as mails_waiting, waiting_mails.age as oldest_mail_seconds,
      (select coalesce(max(seq), 0) from audit_log) as audit_rows,
      (select ${ageOf(sql`min(at)`)} from audit_unsealed) as oldest_unsealed_seconds,
      pg_database_size(current_database()) as database_bytes,
      (
        select coalesce(extract(epoch from max(at)), 0)::float8 from backups where kind = 'backup' and problem is null
      ) as last_backup_at,
      ${hasFailed('backup')} as has_backup_failed, ${hasFailed('verification')} as has_verification_failed
    from waiting_runs, waiting_mails`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The statement returned no row.')
  return row
}

function hasFailed(kind: BackupKind) {
  return sql`coalesce((select problem is not null from backups where kind = ${kind} order by id desc limit 1), false)`
}

function ageOf(moment: ReturnType<typeof sql>) {
  return sql`coalesce(greatest(extract(epoch from now() - ${moment}), 0), 0)::float8`
}
