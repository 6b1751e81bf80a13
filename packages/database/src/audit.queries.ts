import type { Kysely, Transaction } from 'kysely'
import type { AuditChanges, Database } from '#src/tables.ts'

/** Who acts: a signed-in admin, somebody at the sign-in page (no id), or the command line. */
export type AuditActor = {
  id: string | null
  email: string | null
  address: string | null
  request_id: string | null
}

export type AuditEntry = {
  /** Operation id of the contract, e.g. `tenants.update`. */
  action: string
  outcome: 'done' | 'refused'
  /** Why it was refused. */
  reason?: string
  /** The name is unknown when something was refused before it was looked up. */
  target?: { type: string; id: string; name: string | null }
  changes?: AuditChanges
}

/**
 * Appends one row to the audit log, in the transaction of what it speaks of: both happen or neither. The chain puts
 * writers in line until they commit, so call it last.
 */
export async function writeAudit(
  trx: Transaction<Database>,
  at: Date,
  actor: AuditActor,
  entry: AuditEntry,
): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      at,
      actor_id: actor.id,
      actor_email: actor.email,
      action: entry.action,
      outcome: entry.outcome,
      reason: entry.reason ?? null,
      target_type: entry.target?.type ?? null,
      target_id: entry.target?.id ?? null,
      target_name: entry.target?.name ?? null,
      changes: JSON.stringify(entry.changes ?? {}),
      address: actor.address,
      request_id: actor.request_id,
    })
    .execute()
}

/** All fields of something new. */
export function addedFields(row: Record<string, unknown>): AuditChanges {
  return Object.fromEntries(Object.entries(row).map(([field, after]) => [field, { before: null, after }]))
}

/** All fields of something that goes. */
export function removedFields(row: Record<string, unknown>): AuditChanges {
  return Object.fromEntries(Object.entries(row).map(([field, before]) => [field, { before, after: null }]))
}

/** The fields of `after` that differ from `before`, each with both values; empty when nothing changed. */
export function changedFields<Row extends Record<string, unknown>>(
  before: Row,
  after: { [Field in keyof Row]?: Row[Field] | undefined },
): AuditChanges {
  const changed = Object.entries(after).filter(([field, value]) => value !== undefined && value !== before[field])
  return Object.fromEntries(changed.map(([field, value]) => [field, { before: before[field], after: value }]))
}

/** Who last changed the thing with this id and when, as the audit log has it. */
export async function lastChangeOf(db: Kysely<Database>, id: string) {
  return await db
    .selectFrom('audit_log')
    .select(['actor_email', 'at'])
    .where('target_id', '=', id)
    .where('outcome', '=', 'done')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}
