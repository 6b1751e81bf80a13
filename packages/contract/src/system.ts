import * as z from 'zod/mini'
import { chainEnd } from './activity.ts'
import { mailState } from './mail.ts'
import { endpoint } from './wire/endpoint.ts'
import { moment } from './wire/text.ts'

/** Maximum number of wrong counters in an answer. */
export const WRONG_COUNTERS_SHOWN = 10

/** A setting of admin-api. A secret has no value here, only a source. */
export const systemSetting = z.object({
  /** Name of the environment variable. */
  name: z.string(),
  /** Value of the setting. Null for a secret, and for a setting without a value. */
  value: z.nullable(z.string()),
  /** Whether the setting is a secret. */
  is_secret: z.boolean(),
  /** Where the value comes from. `file`: the variable NAME_FILE names a file with the secret. `default`: neither variable is set. */
  source: z.enum(['environment', 'file', 'default']),
})
export type SystemSetting = z.infer<typeof systemSetting>

/** A worker, as its last heartbeat wrote it into the job queue. */
export const systemWorker = z.object({
  /** Name of the worker's machine. */
  host: z.string(),
  /** Id of its process. */
  pid: z.int(),
  /** When it started. */
  started_at: moment,
  /** Its last heartbeat. */
  seen_at: moment,
  /** Whether the worker runs: not stopped, and seen within three heartbeats. */
  is_live: z.boolean(),
  /** End of its last job, as of `seen_at`. Null before the first. */
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
  /** The newest backup. Null without one. */
  newest: z.nullable(
    z.object({
      /** When it was made. */
      at: moment,
      made_by: backupMaker,
      /** Name of the file. Null: standard output. */
      file: z.nullable(z.string()),
      /** Size in bytes. */
      bytes: z.int(),
      /** Position of the last row of the audit log in the backup. */
      audit_seq: z.int(),
    }),
  ),
  /** End of the last successful verification. */
  verified_at: z.nullable(moment),
  /** The last backup or the last verification, if it failed. */
  failure: z.nullable(
    z.object({
      /** What failed. */
      kind: backupKind,
      /** When it failed. */
      at: moment,
      /** What went wrong, as a sentence. */
      problem: z.string(),
    }),
  ),
  /** Start of the backup that this server makes. */
  running_since: z.nullable(moment),
})
export type SystemBackups = z.infer<typeof systemBackups>

/** The state of the installation at `as_of`, seen by the process of admin-api that answers. */
export const systemReport = z.object({
  /** Time of the report. */
  as_of: moment,
  /** The process of admin-api that answers. */
  process: z.object({
    /** Release of the process. */
    version: z.string(),
    /** Version of Node.js. */
    node: z.string(),
    /** When the process started. */
    started_at: moment,
  }),
  /** The database. */
  database: z.object({
    /** Version of PostgreSQL. */
    version: z.string(),
    /** Time of one `select 1` in milliseconds, including the wait for a connection. */
    latency_ms: z.number(),
    /** Whether the database takes changes. False on a standby, and where writing is switched off. */
    is_writable: z.boolean(),
    /** Number of connections under the nearest limit: of the server, the database or the role. */
    connections_used: z.int(),
    /** That limit. */
    connections_max: z.int(),
    /** Size of the database in bytes. */
    bytes: z.int(),
    /** Number of migrations that the database has. */
    migrations_done: z.int(),
    /** Number of migrations of this release. */
    migrations_known: z.int(),
  }),
  /** The workers. */
  workers: z.array(systemWorker),
  /** Work that waits for a worker. Ages in seconds; 0 without waiting work. */
  waiting: z.object({
    /** How long the oldest due task has waited, in seconds. */
    oldest_due_task_seconds: z.number(),
    /** Number of queued runs. */
    runs: z.int(),
    /** Age of the oldest queued run, in seconds. */
    oldest_run_seconds: z.number(),
    /** Number of queued mails. */
    mails: z.int(),
    /** Age of the oldest queued mail, in seconds. */
    oldest_mail_seconds: z.number(),
  }),
  /** Google Maps. */
  google: z.object({
    /** Whether the server has a key of Google Maps. `sample`: the maps emulator answers instead of Google. */
    key: z.enum(['set', 'not_set', 'sample']),
    /** End of the last successful run. */
    last_success_at: z.nullable(moment),
    /** The last failed run. */
    last_failure: z.nullable(
      z.object({
        /** When it failed. */
        at: moment,
        /** Code of the reason. */
        reason: z.nullable(z.string()),
        /** The reason as a sentence. */
        message: z.nullable(z.string()),
      }),
    ),
  }),
  /** The mail server. */
  mail: z.object({
    /** Whether the server sends mail. */
    is_on: z.boolean(),
    /** The newest mail of a worker. Test mails are not among them. */
    newest: z.nullable(
      z.object({
        /** State of the mail. */
        state: mailState,
        /** When it was queued. */
        queued_at: moment,
        /** Reason of the last failed attempt to send it. Null without one. */
        problem: z.nullable(z.string()),
      }),
    ),
  }),
  /** The audit log. */
  audit: z.object({
    /** Number of its rows. */
    rows: z.int(),
    /** Its last row. */
    end: chainEnd,
    /** The month that AUDIT_RETENTION should have deleted. Null without one. */
    held_month: z.nullable(
      z.object({
        /** The month, in UTC: `2026-01`. */
        month: z.string(),
        /** What holds it back, as a sentence. */
        problem: z.string(),
      }),
    ),
  }),
  /** The backups. */
  backups: systemBackups,
  /** The settings of admin-api. */
  settings: z.array(systemSetting),
})
export type SystemReport = z.infer<typeof systemReport>

/** A comparison of all counters with the rows. */
export const countersCheck = z.object({
  /** Time of the comparison. */
  checked_at: moment,
  /** Number of wrong counters. */
  wrong: z.int(),
  /** The first wrong counters, ten at most. */
  examples: z.array(
    z.object({
      /** Name of the counter and its record. */
      where: z.string(),
      /** The stored number. */
      kept: z.int(),
      /** The number of rows. */
      counted: z.int(),
    }),
  ),
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
 * Starts a backup of the embedded PostgreSQL. `system.get` has its progress. 409 while a backup is being made, and for
 * a database whose backups are made outside of the servers.
 */
export const backUp = endpoint('POST', `${url}/backups`, {
  config: { ...config, confirmed: true, limit: 'run' },
  operationId: 'system.back_up',
  summary: 'Start a backup',
  tags,
  response: { 202: systemBackups },
})
