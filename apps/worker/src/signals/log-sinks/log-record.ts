import { hashOfRow, type RowText } from '@switchboard/database/audit/audit-row'
import type { AuditAnchor } from '@switchboard/database/audit/audit-anchor'

/** What a collector or a syslog server gets: an entry of the log, the end of the chain, or a test. */
export type LogRecord = {
  /** In UTC, with milliseconds and `Z`. */
  at: string
  /** The action of an entry, `chain.end` or `test`. */
  name: string
  isRefusal: boolean
  /** The record as JSON in one line. */
  text: string
  /** The fields to search by. */
  attributes: Record<string, string | number>
}

/** The record of an entry. */
export function recordOfRow(row: RowText): LogRecord {
  const at = `${(row.at_text ?? '').replace(/000 AD$/, '')}Z`
  const { seq, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id } = row
  const { address, request_id } = row
  const before = {
    seq,
    at,
    actor_id,
    actor_email,
    action,
    outcome,
    reason,
    target_type,
    target_id,
    target_name,
    tenant_id,
  }
  const hashes = { address, request_id, prev_hash: row.prev_hash.toString('hex'), hash: hashOfRow(row) }
  return {
    at,
    name: action,
    isRefusal: outcome === 'refused',
    // The changes are the text of the database, whose numbers JSON.parse could round.
    text: `${JSON.stringify(before).slice(0, -1)},"changes":${row.changes_text},${JSON.stringify(hashes).slice(1)}`,
    attributes: present({
      'switchboard.audit.seq': seq,
      'switchboard.audit.hash': hashes.hash,
      'switchboard.audit.outcome': outcome,
      'switchboard.audit.target_type': target_type,
      'switchboard.audit.target_id': target_id,
      'switchboard.audit.tenant_id': tenant_id,
      'user.id': actor_id,
      'user.email': actor_email,
      'client.address': address,
    }),
  }
}

/** The end of the chain: a receiver that has it can prove later that no row before it was changed or removed. */
export function recordOfEnd(at: string, { seq, hash }: AuditAnchor): LogRecord {
  const text = JSON.stringify({ at, chain_end: `${seq}:${hash}` })
  return {
    at,
    name: 'chain.end',
    isRefusal: false,
    text,
    attributes: { 'switchboard.audit.chain_end': `${seq}:${hash}` },
  }
}

/** A record that says that it is a test. */
export function testRecord(at: string, sink: string): LogRecord {
  const text = JSON.stringify({ at, test: `This is a test of the log sink ${JSON.stringify(sink)}.` })
  return { at, name: 'test', isRefusal: false, text, attributes: { 'switchboard.audit.test': 'true' } }
}

function present(values: Record<string, string | number | null>): LogRecord['attributes'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
  )
}
