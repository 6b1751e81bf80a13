import type { AuditTargetType } from '@switchboard/contract/activity'
import type { AuditOutcome } from '@switchboard/contract/activity/audit-outcome'
import type { LogSinkKind } from '@switchboard/contract/signals/log-sinks'
import type { Generated, JSONColumnType } from 'kysely'
import type { GeneratedMoment, Moment, ReadOnly } from './column-types.ts'

/** The changed fields with both values; `null` for a missing value. */
export type AuditChanges = Record<string, { before: unknown; after: unknown }>

/** The tables of the audit log and of its sinks, as in `tables.ts`. */
export interface AuditTables {
  /** A view of all entries, sealed and unsealed. */
  audit_entries: Omit<AuditTables['audit_log'], 'prev_hash' | 'hash'>

  audit_deleted_months: {
    month: string
    first_seq: number
    last_seq: number
    hash_before: Buffer
    hash_after: Buffer
    deleted_at: GeneratedMoment
  }

  audit_head: {
    is_only: Generated<boolean>
    seq: number
    hash: Buffer
  }

  audit_log: {
    seq: ReadOnly<number>
    at: Moment
    actor_id: string | null
    actor_email: string | null
    action: string
    outcome: AuditOutcome
    reason: string | null
    target_type: AuditTargetType | null
    target_id: string | null
    target_name: string | null
    tenant_id: string | null
    changes: JSONColumnType<AuditChanges, string | undefined, never>
    address: string | null
    request_id: string | null
    prev_hash: ReadOnly<Buffer>
    hash: ReadOnly<Buffer>
  }

  audit_unsealed: {
    id: ReadOnly<number>
    at: Moment
    actor_id: string | null
    actor_email: string | null
    action: string
    outcome: AuditOutcome
    reason: string | null
    target_type: AuditTargetType | null
    target_id: string | null
    target_name: string | null
    tenant_id: string | null
    changes: JSONColumnType<AuditChanges, string | undefined, never>
    address: string | null
    request_id: string | null
  }

  log_sinks: {
    id: Generated<string>
    kind: LogSinkKind
    name: string
    address: string | null
    certificate_authority: string | null
    header_names: Generated<string[]>
    secret: Buffer | null
    public_key: string | null
    is_on: Generated<boolean>
    first_seq: number
    position: number
    position_hash: Buffer
    last_sent_at: Moment | null
    attempts: Generated<number>
    failing_since: Moment | null
    problem: string | null
    next_attempt_at: Moment | null
    end_sent_at: Moment | null
    test_requested_at: Moment | null
    tested_at: Moment | null
    test_problem: string | null
    created_at: Moment
    version: Generated<number>
  }
}
