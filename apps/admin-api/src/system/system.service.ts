import { newestBackups } from '@switchboard/backup/backups.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/system'
import { auditEnd } from '@switchboard/database/audit/audit-chain'
import { dueMonth } from '@switchboard/database/audit/retention.queries'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { allMigrations } from '@switchboard/database/migrate'
import { wrongCounters } from '@switchboard/database/recount'
import { commandHere } from '@switchboard/server/settings/commands'
import { conflict, unavailable } from '@switchboard/server/http/errors'
import { VERSION } from '@switchboard/server/settings/version'
import type { Deps } from '#src/deps.ts'
import { databaseFigures } from '#src/system/metrics/figures.queries.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { databaseState, latencyMs, newestMail, newestRun } from './system.queries.ts'

/** SQLSTATE of a statement that reached its time limit. */
const QUERY_CANCELED = '57014'

type BackupDeps = Pick<Deps, 'db' | 'backups' | 'secretKeys'>
type ReportDeps = BackupDeps &
  Pick<Deps, 'now' | 'queue' | 'mailer' | 'shownSettings' | 'consoleSettings' | 'auditRetention'>

/** The state of the installation, read now. */
export async function systemReport(deps: ReportDeps): Promise<contract.SystemReport> {
  const { db, now, shownSettings: settings } = deps
  const figures = await databaseFigures(db)
  const { seq, hash } = await auditEnd(db)
  return {
    process: { version: VERSION, node: process.version, started_at: startedAt(now()) },
    database: {
      latency_ms: await latencyMs(db),
      migrations_known: (await allMigrations()).length,
      ...(await databaseState(db)),
    },
    workers: await workersOf(deps),
    waiting: {
      oldest_due_task_seconds: figures.oldest_due_task_seconds,
      runs: figures.runs_waiting,
      oldest_run_seconds: figures.oldest_run_seconds,
      mails: figures.mails_waiting,
      oldest_mail_seconds: figures.oldest_mail_seconds,
    },
    google: await googleOf(deps),
    mail: { is_on: deps.mailer !== null, newest: await newestMail(db) },
    audit: { rows: seq, end: `${seq}:${hash}`, held_month: await heldMonthOf(deps) },
    backups: await backupsOf(deps),
    settings: [...settings],
    // Last: nothing in the report is newer.
    as_of: now().toISOString(),
  }
}

async function heldMonthOf({ db, auditRetention }: Pick<Deps, 'db' | 'auditRetention'>) {
  const due = auditRetention === null ? null : await dueMonth(db, auditRetention)
  if (due === null || due.problem === null) return null
  return { month: due.month, problem: due.problem }
}

/** Compares all counters with the rows. Throws 503 when that takes longer than a statement may. */
export async function checkCounters({
  streamDb,
  now,
}: Pick<Deps, 'streamDb' | 'now'>): Promise<contract.CountersCheck> {
  const wrong = await wrongCounters(streamDb).catch((error: unknown) => {
    throw isTimeout(error)
      ? unavailable(`The comparison took too long and was stopped. Run "${commandHere('db:recount')}" on the server.`)
      : error
  })
  return {
    checked_at: now().toISOString(),
    wrong: wrong.length,
    examples: wrong.slice(0, contract.WRONG_COUNTERS_SHOWN),
  }
}

/** Starts a backup in the background. Throws 409 while one is being made, and when the servers make none. */
export async function backUp(deps: BackupDeps & Pick<Deps, 'now'>, actor: Actor): Promise<contract.SystemBackups> {
  const { db, now, backups } = deps
  if (backups === null)
    throw conflict(`This database is backed up outside of the servers: run "${commandHere('backup')}".`)
  const running = conflict('A backup is being made. Wait for its end.')
  if (backups.runningSince() !== null) throw running
  await inTransaction(db, (trx) => writeAudit(trx, now(), actor, { action: contract.backUp.schema.operationId }))
  // The other of two concurrent calls may have started one.
  if (!backups.start()) throw running
  return await backupsOf(deps)
}

async function backupsOf({ db, backups, secretKeys }: BackupDeps): Promise<contract.SystemBackups> {
  return {
    is_made_by_server: backups !== null,
    is_signed: secretKeys.current !== null,
    ...(await newestBackups(db)),
    running_since: backups?.runningSince() ?? null,
  }
}

/** The workers that run, or the one that was seen last. */
async function workersOf({ queue }: Pick<Deps, 'queue'>): Promise<contract.SystemWorker[]> {
  const workers = (await queue.workers()).toSorted((one, other) => one.seen_at.localeCompare(other.seen_at))
  const live = workers.filter(({ is_live }) => is_live)
  return live.length > 0 ? live : workers.slice(-1)
}

async function googleOf({ db, consoleSettings, shownSettings }: ReportDeps): Promise<contract.SystemReport['google']> {
  const success = await newestRun(db, 'succeeded')
  const failure = await newestRun(db, 'failed')
  const isSet = shownSettings.some(({ name, source }) => name === 'GOOGLE_MAPS_API_KEY' && source !== 'default')
  return {
    key: consoleSettings.sample_maps ? 'sample' : isSet ? 'set' : 'not_set',
    last_success_at: success?.finished_at ?? null,
    last_failure:
      failure === undefined || failure.finished_at === null
        ? null
        : { at: failure.finished_at, reason: failure.reason, message: failure.message },
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === QUERY_CANCELED
}

function startedAt(now: Date): string {
  return new Date(now.getTime() - process.uptime() * 1_000).toISOString()
}
