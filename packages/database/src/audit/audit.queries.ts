import { isDeepStrictEqual } from 'node:util'
import { type AuditTargetType, SYSTEM_ACTIONS } from '@switchboard/contract/activity'
import type { AuditOutcome } from '@switchboard/contract/activity/audit-outcome'
import { taskName } from '@switchboard/contract/tasks/task-name'
import { runTask } from '@switchboard/contract/runs'
import { resetSecondFactor } from '@switchboard/contract/second-factors'
import { endMemberSession, endMemberSessions } from '@switchboard/contract/team'
import { setUserPassword } from '@switchboard/contract/users'
import { createTenantNote, deleteTenantNote, updateTenantNote } from '@switchboard/contract/tenants/tenant-notes'
import { changeUserPassword } from '@switchboard/contract/users/user-verification'
import type { Kysely, Transaction } from 'kysely'
import type { AuditChanges } from '#src/audit-tables.ts'
import type { Database } from '#src/tables.ts'

/** The actor: a signed-in user, a client at the sign-in page (no id), or the command line. */
export type AuditActor = {
  id: string | null
  email: string | null
  address: string | null
  request_id: string | null
}

/**
 * The target with its current name and tenant, which outlive the target. A refusal may know neither. Without an id, the
 * target is a record whose creation was refused, or the user of a refused sign-in.
 */
export type AuditTarget = { type: AuditTargetType; id: string | null; name: string | null; tenant_id: string | null }

export type AuditEntry = {
  /** Operation id of the contract, e.g. `tenants.update`. */
  action: string
  /** By default `done`. */
  outcome?: AuditOutcome
  /** Reason of a refusal. */
  reason?: string
  target?: AuditTarget
  changes?: AuditChanges
}

/**
 * Writes one entry of the audit log, in the transaction of the change. A worker seals it within a second. Writers do not
 * wait for each other.
 */
export async function writeAudit(
  trx: Transaction<Database>,
  at: Date,
  actor: AuditActor,
  entry: AuditEntry,
): Promise<void> {
  await writeAudits(trx, at, actor, [entry])
}

/**
 * Like `writeAudit`, but for several entries. Throws if the database did not keep each of them, so that the change
 * fails too.
 */
export async function writeAudits(
  trx: Transaction<Database>,
  at: Date,
  actor: AuditActor,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const kept = await trx
    .insertInto('audit_unsealed')
    .values(entries.map((entry) => auditRowOf(at, actor, entry)))
    .returning('id')
    .execute()
  if (kept.length !== entries.length) throw new Error('The audit log did not keep an entry.')
}

/** The row that `writeAudit` inserts. */
export function auditRowOf(at: Date, actor: AuditActor, entry: AuditEntry) {
  return {
    at,
    actor_id: actor.id,
    actor_email: actor.email,
    action: entry.action,
    outcome: entry.outcome ?? 'done',
    reason: entry.reason ?? null,
    target_type: entry.target?.type ?? null,
    target_id: entry.target?.id ?? null,
    target_name: entry.target?.name ?? null,
    tenant_id: (entry.target?.type === 'tenant' ? entry.target.id : entry.target?.tenant_id) ?? null,
    changes: JSON.stringify(entry.changes ?? {}),
    address: actor.address,
    request_id: actor.request_id,
  }
}

/** The audit target of a task, named by its place. */
export function auditedTask(task: Parameters<typeof taskName>[0] & { id: string; tenant_id: string }): AuditTarget {
  return { type: 'task', id: task.id, name: taskName(task), tenant_id: task.tenant_id }
}

/** All fields of a new record. */
export function addedFields(row: Record<string, unknown>): AuditChanges {
  return Object.fromEntries(Object.entries(row).map(([field, after]) => [field, { before: null, after }]))
}

/** All fields of a deleted record. */
export function removedFields(row: Record<string, unknown>): AuditChanges {
  return Object.fromEntries(Object.entries(row).map(([field, before]) => [field, { before, after: null }]))
}

/** The changed fields with both values; empty without changes. */
export function changedFields<Row extends Record<string, unknown>>(
  before: Row,
  after: { [Field in keyof Row]?: Row[Field] | undefined },
): AuditChanges {
  const changed = Object.entries(after).filter(
    ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field]),
  )
  return Object.fromEntries(changed.map(([field, value]) => [field, { before: before[field], after: value }]))
}

/** Actions that are audited with a record and leave its version as it is. */
const NO_CHANGES = [
  ...[
    changeUserPassword,
    setUserPassword,
    endMemberSession,
    endMemberSessions,
    resetSecondFactor,
    createTenantNote,
    updateTenantNote,
    deleteTenantNote,
    runTask,
  ].map(({ schema }) => schema.operationId),
  ...SYSTEM_ACTIONS,
]

/**
 * Actor and time of the last change of the record with this id. A user's sign-in, session, password or second factor, a
 * tenant's note, a task's run and the expiry of a key do not count as a change.
 */
export async function lastChangeOf(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('audit_entries')
    .select(['actor_email', 'at'])
    .where('target_id', '=', id)
    .where('action', 'not in', NO_CHANGES)
    .where('outcome', '=', 'done')
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Last name of the record with this id, and its tenant. */
export async function lastNameOf(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('audit_entries')
    .select(['target_name as name', 'tenant_id'])
    .where('target_id', '=', id)
    .where('target_name', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
