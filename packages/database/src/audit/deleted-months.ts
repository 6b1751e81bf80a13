import type { Selectable } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type AuditAnchor, CHAIN_START } from './audit-anchor.ts'

/** A month of the audit log whose rows were deleted after every log sink had them. The hashes are hexadecimal digits. */
export type DeletedMonth = {
  /** `2026-01`, in UTC. */
  month: string
  first_seq: number
  last_seq: number
  /** Hash of the row before the first one. */
  hash_before: string
  /** Hash of the last row. */
  hash_after: string
}

/** A deleted month from its row. */
export function deletedMonthOf(row: Selectable<Database['audit_deleted_months']>): DeletedMonth {
  const { month, first_seq, last_seq, hash_before, hash_after } = row
  return {
    month,
    first_seq,
    last_seq,
    hash_before: hash_before.toString('hex'),
    hash_after: hash_after.toString('hex'),
  }
}

/** The last deleted row: the log begins after it. */
export function deletedEnd(months: readonly DeletedMonth[]): AuditAnchor {
  const last = months.at(-1)
  return last === undefined ? CHAIN_START : endOfMonth(last)
}

export function endOfMonth({ last_seq, hash_after }: DeletedMonth): AuditAnchor {
  return { seq: last_seq, hash: hash_after }
}

/** A sentence about the first month that does not continue the months before it. Null when all join from row 1 on. */
export function problemOfMonths(months: readonly DeletedMonth[]): string | null {
  for (const [n, { month, first_seq, hash_before }] of months.entries()) {
    const before = months.slice(0, n)
    const end = deletedEnd(before)
    const continues = first_seq === end.seq + 1 && hash_before === end.hash && month > (before.at(-1)?.month ?? '')
    if (!continues)
      return `The deleted month ${month} begins with row ${first_seq} and does not continue the chain after row ${end.seq}.`
  }
  return null
}
