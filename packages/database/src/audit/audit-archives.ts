import type { Selectable } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type AuditAnchor, CHAIN_START } from './audit-anchor.ts'

/** A closed month of the audit log whose rows are in a file. The hashes are hexadecimal digits. */
export type AuditArchive = {
  /** `2026-01`, in UTC. */
  month: string
  first_seq: number
  last_seq: number
  /** Hash of the row before the first one. */
  hash_before: string
  /** Hash of the last row. */
  hash_after: string
  file_sha256: string
}

/** An archive from its row. */
export function archiveOf(row: Selectable<Database['audit_archives']>): AuditArchive {
  const { month, first_seq, last_seq, hash_before, hash_after, file_sha256 } = row
  return {
    month,
    first_seq,
    last_seq,
    hash_before: hash_before.toString('hex'),
    hash_after: hash_after.toString('hex'),
    file_sha256: file_sha256.toString('hex'),
  }
}

/** The last archived row: the log continues after it. */
export function archivedEnd(archives: readonly AuditArchive[]): AuditAnchor {
  const last = archives.at(-1)
  return last === undefined ? CHAIN_START : endOfArchive(last)
}

export function endOfArchive({ last_seq, hash_after }: AuditArchive): AuditAnchor {
  return { seq: last_seq, hash: hash_after }
}

/** A sentence about the first archive that does not continue the months before it. Null when all join from row 1 on. */
export function problemOfArchives(archives: readonly AuditArchive[]): string | null {
  for (const [n, { month, first_seq, hash_before }] of archives.entries()) {
    const before = archives.slice(0, n)
    const end = archivedEnd(before)
    const continues = first_seq === end.seq + 1 && hash_before === end.hash && month > (before.at(-1)?.month ?? '')
    if (!continues)
      return `The archive of ${month} begins with row ${first_seq} and does not continue the chain after row ${end.seq}.`
  }
  return null
}

/** The name of the file of an archive. Files with other rows of the same month have other names. */
export function fileNameOf({ month, hash_after }: Pick<AuditArchive, 'month' | 'hash_after'>): string {
  return `audit-${month}-${hash_after.slice(0, 12)}.ndjson.gz`
}
