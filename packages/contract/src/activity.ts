import * as z from 'zod/mini'
import { auditOutcome } from '#src/activity/audit-outcome.ts'
import { endpoint } from '#src/wire/endpoint.ts'
import { describeExport, describeList } from '#src/wire/list-endpoints.ts'
import { anyOf, day, searchTerm } from '#src/wire/lists.ts'
import { tenantStatus } from '#src/tenants/tenant-status.ts'
import { moment, text } from '#src/wire/text.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** Types of audit log targets. */
export const auditTargetType = z.enum([
  'tenant',
  'user',
  'api_key',
  'task',
  'prompt',
  'addendum',
  'session',
  'token',
  'webhook',
  'log_sink',
])
export type AuditTargetType = z.infer<typeof auditTargetType>

/** `actor_email` of entries by `COMMAND_LINE_ACTIONS`. */
export const COMMAND_LINE_ACTOR = 'command line'
/** `actor_email` of entries by the worker. */
export const WORKER_ACTOR = 'task worker'
/** `actor_email` of entries about backups. */
export const BACKUP_ACTOR = 'backup'

/** `actor_email` of entries about reported secrets. */
export const SECRET_SCANNING_ACTOR = 'secret scanning'

/** @internal Actions of the command line: the first start and `npm run admin`. No endpoint writes these actions. */
export const COMMAND_LINE_ACTIONS = [
  'super_admins.first',
  'super_admins.create',
  'super_admins.reset-password',
] as const

/** Actions of the entries about ended runs, by outcome. */
export const RUN_ENDS = { succeeded: 'runs.succeed', failed: 'runs.fail', skipped: 'runs.skip' } as const
/** Action of the entries about keys that have expired, and about rotated keys whose grace period has ended by itself. */
export const EXPIRED_KEY_ACTION = 'api_keys.expire'
export const GRACE_EXPIRED_ACTION = 'api_keys.expire_grace'
/** Action of the entries about failed backups and verifications. */
export const FAILED_BACKUP_ACTION = 'backups.fail'
/** Action of the entries about a hash chain that does not hold. */
export const BROKEN_CHAIN_ACTION = 'audit.break'
/** Actions of the entries about alerts that open, that are over, and that a webhook is told in one message. */
export const ALERT_OPENED_ACTION = 'alerts.open'
export const ALERT_RESOLVED_ACTION = 'alerts.resolve'
export const ALERTS_TOLD_ACTION = 'alerts.notify'

/** A webhook was switched off. */
export const WEBHOOK_DISABLED_ACTION = 'webhooks.disable'

/** What happens without a call: no endpoint writes these actions, and they leave the version of a record as it is. */
export const SYSTEM_ACTIONS = [
  ...Object.values(RUN_ENDS),
  EXPIRED_KEY_ACTION,
  GRACE_EXPIRED_ACTION,
  FAILED_BACKUP_ACTION,
  BROKEN_CHAIN_ACTION,
  ALERT_OPENED_ACTION,
  ALERT_RESOLVED_ACTION,
  ALERTS_TOLD_ACTION,
  WEBHOOK_DISABLED_ACTION,
] as const

/** An audit log entry without its changes: actor, action, target, time (UTC) and address. */
export const auditRow = z.object({
  /** Position in the hash chain: 1, 2, 3 … without gaps. */
  seq: z.int(),
  /** When it happened. */
  at: moment,
  /** The signed-in person or the service token. Null without either. */
  actor_id: z.nullable(z.uuid()),
  /** Address of the actor at that time; for a failed sign-in, the address as typed; for a service token, its name and maker. */
  actor_email: z.nullable(z.string()),
  /** Current name of the signed-in person, if known. */
  actor_name: z.nullable(z.string()),
  /** `noun.verb`: the operation id of a call, or an action of the command line or of the system. */
  action: z.string(),
  outcome: auditOutcome,
  /** Reason of a refusal, of a suspension, or of a change by the system. */
  reason: z.nullable(z.string()),
  /** Type of the record that the action was about. */
  target_type: z.nullable(auditTargetType),
  /** Id of that record. */
  target_id: z.nullable(z.uuid()),
  /** Name of the target at that time, kept after a deletion. */
  target_name: z.nullable(z.string()),
  /** Id of the tenant of the target. Null for a target without a tenant. */
  tenant_id: z.nullable(z.uuid()),
  /** Current name of that tenant, or its last name after a deletion. */
  tenant_name: z.nullable(z.string()),
  /** Names of the changed fields. A boolean field and the status of a tenant have their new value, other fields null. */
  changed: z.record(z.string(), z.union([z.boolean(), tenantStatus, z.null()])),
  /** Network address of the actor. Null if unknown. */
  address: z.nullable(z.string()),
  /** Id of the request, as in the log. Null without a request. */
  request_id: z.nullable(z.string()),
})
export type AuditRow = z.infer<typeof auditRow>

/** An entry with each changed field before and after, and its chain hashes (SHA-256, hexadecimal). */
export const auditRecord = z.extend(auditRow, {
  /** The changed fields by name. */
  changes: z.record(
    z.string(),
    z.object({
      /** The value before the change. */
      before: z.unknown(),
      /** The value after the change. */
      after: z.unknown(),
    }),
  ),
  /** Hash of this entry and the one before it. */
  hash: z.string(),
  /** Hash of the entry before this one. */
  prev_hash: z.string(),
})
export type AuditRecord = z.infer<typeof auditRecord>

/** A checkpoint of the chain: position, colon, hash, as `npm run audit:verify` prints the end of the log. */
export const chainEnd = z
  .string()
  .check(z.regex(/^\d{1,15}:[\da-f]{64}$/, 'Use a row number, a colon and 64 hexadecimal digits.'))

/** How far a check of the chain has come. */
export const chainCheck = z.object({
  /** `checking`: not at the end yet. `holds`: every row is as it was written. `broken`: a row is not. */
  state: z.enum(['checking', 'holds', 'broken']),
  /** The last checked row. All rows up to here hold; the next call continues from here. */
  checked: chainEnd,
  /** Number of rows up to `checked`. */
  checked_rows: z.int(),
  /** Number of all rows. */
  rows: z.int(),
  /** Number of the oldest rows, which were deleted by month: `rows` and `checked_rows` include them, and the check begins after them. */
  deleted_rows: z.optional(z.int()),
  /**
   * Number of entries that are not sealed yet, so the owner of the database can still change them without a trace. 0
   * until all rows are verified.
   */
  unsealed_entries: z.optional(z.int()),
  /** Age of the oldest unsealed entry, in seconds. */
  unsealed_seconds: z.optional(z.int()),
  /** The problem as a sentence. Null without one. */
  problem: z.nullable(z.string()),
  /** The first broken entry. Null if the problem is not in an entry. */
  broken_row: z.nullable(z.int()),
})
export type ChainCheck = z.infer<typeof chainCheck>

const url = '/api/v1/admin/audit'
const tags = ['Activity']

const noun = { name: 'audit', plural: 'the audit log', url, tag: 'Activity' } as const

const list = describeList(noun, {
  description:
    'The audit log, newest first. Searches names of targets, email addresses of actors, reasons, and the beginning of ' +
    'network addresses and request ids.',
  row: auditRow,
  sorts: ['at', '-at'],
  defaultSort: '-at',
  filters: {
    q: searchTerm,
    /** Only entries of this actor: the id of a user or a service token, or for entries without a session the email address. */
    actor: z.optional(text(254)),
    /** Only entries of this action, such as `tenants.update`. */
    action: z.optional(text(50)),
    /** Only entries about records of these types. */
    target_type: anyOf(auditTargetType),
    /** Only entries about the record with this id. */
    target_id: z.optional(z.uuid()),
    /** Only entries about records of this tenant. */
    tenant_id: z.optional(z.uuid()),
    /** Only entries with these outcomes. */
    outcome: anyOf(auditOutcome),
    /** First day, in UTC, included. */
    from: z.optional(day),
    /** Last day, in UTC, included. */
    to: z.optional(day),
    /** Shows a rotation as one row, the row of the old key. By default it is two rows, one of each key. */
    fold: z.optional(z.literal('true')),
  },
})
/** The audit log as a list. */
export const activityList = {
  ...list,
  ...describeExport(noun, {
    filters: list.filters,
    file: 'activity',
    columns: [
      'seq',
      'at',
      'actor_id',
      'actor_email',
      'action',
      'outcome',
      'reason',
      'target_type',
      'target_id',
      'target_name',
      'tenant_id',
      'tenant_name',
      'changes',
      'address',
      'request_id',
      'hash',
    ],
  }),
}
export type AuditListQuery = z.infer<typeof activityList.list.schema.querystring>

/** One entry with its changes. */
export const getAuditRecord = endpoint('GET', `${url}/:seq`, {
  config: { capability: 'view' },
  operationId: 'audit.get',
  summary: 'Get a row of the audit log',
  tags,
  params: z.strictObject({
    /** Position of the row in the log. */
    seq: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  }),
  response: { 200: auditRecord },
})

/**
 * Recomputes the hash chain from `after` on for about one second and returns its progress: repeat the call with
 * `checked` until the state is no longer `checking`. `noted` is an earlier checkpoint; entries removed from the end
 * of the log are detected only by comparison with a checkpoint.
 */
export const checkAuditChain = endpoint('GET', `${url}/chain`, {
  config: { capability: 'view' },
  operationId: 'audit.check_chain',
  summary: 'Check the hash chain of the audit log, a part at a time',
  tags,
  querystring: z.strictObject({
    /** Checkpoint from which to continue: `checked` of the last answer. Missing: from the beginning. */
    after: z.optional(chainEnd),
    /** Earlier checkpoint to compare with, as `npm run audit:verify` prints it. */
    noted: z.optional(chainEnd),
  }),
  response: { 200: chainCheck },
})
