import { createHash } from 'node:crypto'

/** A row of `audit_log` with its time and its changes as text. */
export type AuditRowText = {
  seq: number
  /** UTC with six decimals and the era: `2026-11-23T06:30:00.123000 AD`. */
  at_text: string | null
  actor_id: string | null
  actor_email: string | null
  action: string
  outcome: string
  reason: string | null
  target_type: string | null
  target_id: string | null
  target_name: string | null
  /** The output of `jsonb` with ordered keys and normalised numbers. */
  changes_text: string
  address: string | null
  request_id: string | null
  tenant_id: string | null
  prev_hash: Buffer
  hash: Buffer
}

/**
 * The hash of a row in hexadecimal digits, equal to `audit_row_hash` in the database: SHA-256 over the previous
 * hash and the text of a `jsonb` array. `JSON.stringify` escapes the same characters as PostgreSQL.
 */
export function hashOfRow(row: AuditRowText): string {
  // The column has milliseconds. Other digits or another era remain in the text, so the hash differs.
  const at = row.at_text?.replace(/000 AD$/, '') ?? null
  const before = [row.seq, at, row.actor_id, row.actor_email, row.action, row.outcome, row.reason]
  const target = [row.target_type, row.target_id, row.target_name, row.tenant_id]
  const texts = [...[...before, ...target].map(textOf), row.changes_text, textOf(row.address), textOf(row.request_id)]
  return createHash('sha256')
    .update(row.prev_hash)
    .update(`[${texts.join(', ')}]`)
    .digest('hex')
}

function textOf(value: string | number | null): string {
  return JSON.stringify(value)
}
