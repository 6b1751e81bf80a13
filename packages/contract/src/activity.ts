import * as z from 'zod/mini'
import type { Endpoint } from '#src/wire/endpoint.ts'
import { errorResponses } from '#src/wire/errors.ts'
import { CSV_TYPE, csvFile } from '#src/wire/exports.ts'
import { day, listQuery } from '#src/wire/lists.ts'
import { moment, text } from '#src/wire/text.ts'
import { wholeNumber } from '#src/wire/whole-number.ts'

/** What a row of the audit log can be about. */
export const AUDIT_TARGET_TYPES = ['tenant', 'user', 'api_key', 'task', 'prompt', 'session'] as const
export const auditTargetType = z.enum(AUDIT_TARGET_TYPES)
export type AuditTargetType = z.infer<typeof auditTargetType>

export const auditOutcome = z.enum(['done', 'refused'])
export type AuditOutcome = z.infer<typeof auditOutcome>

/** Who acts where nobody is signed in and there is no address either: `actor_email` of such rows. */
export const COMMAND_LINE_ACTOR = 'command line'
export const WORKER_ACTOR = 'task worker'

/** Actions that no call makes: the first super admin, and those of `npm run admin`. */
export const COMMAND_LINE_ACTIONS = [
  'super_admins.first',
  'super_admins.create',
  'super_admins.reset-password',
] as const

/** A row of the audit log without what changed: who did what to what, when (UTC) and from where. */
export const auditRow = z.object({
  /** 1, 2, 3 … without a gap: its place in the hash chain. */
  seq: z.int(),
  at: moment,
  /** Null when nobody was signed in. */
  actor_id: z.nullable(z.uuid()),
  /** As it was then; what was typed, where somebody failed to sign in. */
  actor_email: z.nullable(z.string()),
  /** `noun.verb`: the operation id of a call, or one of `COMMAND_LINE_ACTIONS`. */
  action: z.string(),
  outcome: auditOutcome,
  /** Why it was refused, or done without anybody asking. */
  reason: z.nullable(z.string()),
  target_type: z.nullable(auditTargetType),
  target_id: z.nullable(z.uuid()),
  /** As it was called then: what was deleted keeps its name here. */
  target_name: z.nullable(z.string()),
  /** The tenant that the row is about, and its name, the last one where it is gone. */
  tenant_id: z.nullable(z.uuid()),
  tenant_name: z.nullable(z.string()),
  /** The fields that changed, each with what a switch was set to; null for all that is no switch. */
  changed: z.record(z.string(), z.nullable(z.boolean())),
  address: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
})
export type AuditRow = z.infer<typeof auditRow>

const anything = z.unknown()

/** A row with every changed field before and after, and its place in the chain (SHA-256 in hexadecimal digits). */
export const auditRecord = z.extend(auditRow, {
  changes: z.record(z.string(), z.object({ before: anything, after: anything })),
  hash: z.string(),
  prev_hash: z.string(),
})
export type AuditRecord = z.infer<typeof auditRecord>

/** The log is read from its end or from its beginning. */
export const AUDIT_SORTS = ['at', '-at'] as const
export const AUDIT_SORT_DEFAULT = '-at' satisfies (typeof AUDIT_SORTS)[number]

export const auditListQuery = z.omit(
  listQuery(AUDIT_SORTS, {
    /** The id of an admin: all that they did signed in. Or an address, as typed: all that nobody signed in did under it. */
    actor: z.optional(text(254)),
    action: z.optional(text(50)),
    target_type: z.optional(auditTargetType),
    target_id: z.optional(z.uuid()),
    tenant_id: z.optional(z.uuid()),
    outcome: z.optional(auditOutcome),
    /** First and last day, in UTC, both included. */
    from: z.optional(day),
    to: z.optional(day),
  }),
  { q: true },
)
export type AuditListQuery = z.infer<typeof auditListQuery>

/** A place in the chain as it is noted outside: the number of a row, a colon, its hash. `npm run audit:verify` prints it so. */
export const chainEnd = z
  .string()
  .check(z.regex(/^\d{1,15}:[\da-f]{64}$/, 'Use a row number, a colon and 64 hexadecimal digits.'))

/** How far a check of the chain has come. */
export const chainCheck = z.object({
  state: z.enum(['checking', 'holds', 'broken']),
  /** All up to here holds: where the next call goes on. */
  checked: chainEnd,
  /** Rows up to there, and in all. */
  checked_rows: z.int(),
  rows: z.int(),
  /** What is wrong, and the first row that does not hold where it is a row. */
  problem: z.nullable(z.string()),
  broken_row: z.nullable(z.int()),
})
export type ChainCheck = z.infer<typeof chainCheck>

const url = '/api/v1/admin/audit'
const tags = ['Activity']

/** Newest first. What is selective of the filters finds the rows; all of them combine. */
export const listAudit = {
  method: 'GET',
  url,
  config: { limit: 'whole_list' },
  schema: {
    operationId: 'audit.list',
    summary: 'List the audit log',
    tags,
    querystring: auditListQuery,
    response: { 200: z.array(auditRow), ...errorResponses },
  },
} as const satisfies Endpoint

/** All that match, as CSV with what changed as JSON. A POST because the audit log keeps who took what. */
export const exportAudit = {
  method: 'POST',
  url: `${url}/export`,
  config: { limit: 'export' },
  schema: {
    operationId: 'audit.export',
    summary: 'Export the audit log as CSV',
    tags,
    produces: [CSV_TYPE],
    querystring: z.omit(auditListQuery, { limit: true, cursor: true }),
    response: { 200: csvFile, ...errorResponses },
  },
} as const satisfies Endpoint

/** One row with what changed. */
export const getAuditRecord = {
  method: 'GET',
  url: `${url}/:seq`,
  schema: {
    operationId: 'audit.get',
    summary: 'Get a row of the audit log',
    tags,
    params: z.strictObject({ seq: wholeNumber(1, Number.MAX_SAFE_INTEGER) }),
    response: { 200: auditRecord, ...errorResponses },
  },
} as const satisfies Endpoint

/**
 * Recomputes the hash chain from `after` on for about a second and says how far it came: call it again with `checked`
 * until the state is no longer `checking`. `noted` is an end of the chain that was noted before, against which the log
 * is held, so that rows cut off its end show too.
 */
export const checkAuditChain = {
  method: 'GET',
  url: `${url}/chain`,
  schema: {
    operationId: 'audit.check_chain',
    summary: 'Check the hash chain of the audit log, a part at a time',
    tags,
    querystring: z.strictObject({ after: z.optional(chainEnd), noted: z.optional(chainEnd) }),
    response: { 200: chainCheck, ...errorResponses },
  },
} as const satisfies Endpoint
