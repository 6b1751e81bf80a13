import type * as z from 'zod/mini'
import type { AuditTargetType } from '#src/activity.ts'
import type { AuditOutcome } from '#src/activity/audit-outcome.ts'

/** The changed fields of an entry, each with both values. */
type Changes = Record<string, { before?: unknown; after?: unknown }>

/** An entry of the audit log, as far as an event tells of it. */
export type LoggedEntry = {
  seq: number
  at: string
  actor_id: string | null
  actor_email: string | null
  action: string
  outcome: AuditOutcome
  reason: string | null
  target_type: AuditTargetType | null
  target_id: string | null
  target_name: string | null
  tenant_id: string | null
  changes: Changes
}

/** What an event type says, and the entries of the audit log that are such events. */
export type EventDescription = {
  /** Actions of the entries. */
  actions: readonly string[]
  /** Only these of them. Missing: all. */
  when?: (entry: Pick<LoggedEntry, 'action' | 'changes' | 'tenant_id'>) => boolean
  /** The kinds of records that it is about. Null: without one. */
  subjects: readonly [AuditTargetType | null, ...(AuditTargetType | null)[]]
  /** What happened, as a sentence. */
  description: string
  /** The values that changed fields may have. An event names every other changed field without its values. */
  fields?: Readonly<Record<string, z.ZodMiniType>>
  example: {
    /** Both values of each changed field. */
    changes?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
    reason?: string
  }
}

/** Whether a field changed to this value. */
export function became(field: string, value: unknown) {
  return ({ changes: { [field]: change } }: { changes: Changes }): boolean =>
    change !== undefined && change.after === value && change.before !== value
}

/** Whether a field changed. */
export function changed(field: string) {
  return ({ changes }: { changes: Changes }): boolean => field in changes
}
