import * as z from 'zod/mini'
import { chainEnd } from './activity.ts'
import { mailState } from './mail.ts'
import { endpoint } from './wire/endpoint.ts'
import { moment } from './wire/text.ts'

/** Maximum number of wrong counters in an answer. */
export const WRONG_COUNTERS_SHOWN = 10

/** A setting of admin-api. A secret has no value here, only a source. */
export const systemSetting = z.object({
  name: z.string(),
  /** Null for a secret, and for a setting without a value. */
  value: z.nullable(z.string()),
  is_secret: z.boolean(),
  /** `file`: the variable NAME_FILE names a file with the secret. `default`: neither variable is set. */
  source: z.enum(['environment', 'file', 'default']),
})
export type SystemSetting = z.infer<typeof systemSetting>

/** A worker, as its last heartbeat wrote it into the job queue. */
export const systemWorker = z.object({
  host: z.string(),
  pid: z.int(),
  started_at: moment,
  seen_at: moment,
  /** Not stopped, and seen within three heartbeats. */
  is_live: z.boolean(),
  /** End of its last job, as of `seen_at`. */
  last_job_at: z.nullable(moment),
})
export type SystemWorker = z.infer<typeof systemWorker>

/** A verification restores a backup into a scratch database and compares it. */
export const backupKind = z.enum(['backup', 'verification'])
export type BackupKind = z.infer<typeof backupKind>

/** `hand`: the command, or "Back Up Now". */
export const backupMaker = z.enum(['server', 'timer', 'hand'])
export type BackupMaker = z.infer<typeof backupMaker>

/** A backup that is older than this, in hours, is late: backups are made each night. */
export const BACKUP_LATE_HOURS = 26

/** The backups that the servers and the command have recorded. */
export const systemBackups = z.object({
  /** Whether the server makes a backup each night and when asked. */
  is_made_by_server: z.boolean(),
  /** Whether new backups are signed with SECRETS_KEY, so that a restore refuses a changed one. */
  is_signed: z.boolean(),
  newest: z.nullable(
    z.object({
      at: moment,
      made_by: backupMaker,
      /** Null: standard output. */
      file: z.nullable(z.string()),
      bytes: z.int(),
      /** The last row of the audit log in the backup. */
      audit_seq: z.int(),
    }),
  ),
  /** End of the last successful verification. */
  verified_at: z.nullable(moment),
  /** The last backup or the last verification, if it failed. */
  failure: z.nullable(z.object({ kind: backupKind, at: moment, problem: z.string() })),
  /** Start of the backup that this server makes. */
  running_since: z.nullable(moment),
})
export type SystemBackups = z.infer<typeof systemBackups>

/** The state of the installation at `as_of`, seen by the process of admin-api that answers. */
export const systemReport = z.object({
  as_of: moment,
  process: z.object({ version: z.string(), node: z.string(), started_at: moment }),
  database: z.object({
    version: z.string(),
    /** Time of one `select 1`, including the wait for a connection. */
    latency_ms: z.number(),
    /** False on a standby, and where writing is switched off. */
    is_writable: z.boolean(),
    /** The connections under the nearest limit: of the server, the database or the role. */
    connections_used: z.int(),
    connections_max: z.int(),
    bytes: z.int(),
    /** Migrations that the database has, and migrations of this release. */
    migrations_done: z.int(),
    migrations_known: z.int(),
  }),
  workers: z.array(systemWorker),
  /** Work that waits for a worker. Ages in seconds; 0 without waiting work. */
  waiting: z.object({
    oldest_due_task_seconds: z.number(),
    runs: z.int(),
    oldest_run_seconds: z.number(),
    mails: z.int(),
    oldest_mail_seconds: z.number(),
  }),
  google: z.object({
    /** `sample`: the maps emulator answers instead of Google. */
    key: z.enum(['set', 'not_set', 'sample']),
    last_success_at: z.nullable(moment),
    last_failure: z.nullable(z.object({ at: moment, reason: z.nullable(z.string()), message: z.nullable(z.string()) })),
  }),
  mail: z.object({
    is_on: z.boolean(),
    /** The newest mail of a worker. Test mails are not among them. */
    newest: z.nullable(z.object({ state: mailState, queued_at: moment, problem: z.nullable(z.string()) })),
  }),
  audit: z.object({ rows: z.int(), end: chainEnd }),
  backups: systemBackups,
  settings: z.array(systemSetting),
})
export type SystemReport = z.infer<typeof systemReport>

/** A comparison of all counters with the rows. */
export const countersCheck = z.object({
  checked_at: moment,
  /** Number of wrong counters. */
  wrong: z.int(),
  /** The first of them. */
  examples: z.array(z.object({ where: z.string(), kept: z.int(), counted: z.int() })),
})
export type CountersCheck = z.infer<typeof countersCheck>

const url = '/api/v1/admin/system'
const tags = ['System']
const config = { capability: 'system' } as const

/** Versions, health, waiting work, backups and settings. Secrets are left out. */
export const getSystemReport = endpoint('GET', url, {
  config,
  operationId: 'system.get',
  summary: 'Read the state of the installation',
  tags,
  response: { 200: systemReport },
})

/** Compares all counters with the rows and changes nothing. 503 when the comparison takes too long. */
export const checkCounters = endpoint('POST', `${url}/counters`, {
  config: { ...config, reads: true, limit: 'run' },
  operationId: 'system.check_counters',
  summary: 'Compare the counters with the rows',
  tags,
  response: { 200: countersCheck },
})

/**
 * Starts a backup of the embedded PostgreSQL. `getSystemReport` has its progress. 409 while a backup is being made, and for
 * a database whose backups are made outside of the servers.
 */
export const backUp = endpoint('POST', `${url}/backups`, {
  config: { ...config, confirmed: true, limit: 'run' },
  operationId: 'system.back_up',
  summary: 'Start a backup',
  tags,
  response: { 202: systemBackups },
})
