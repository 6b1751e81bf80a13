import { createHash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** An entry with its time and its changes as text. */
export type EntryText = Omit<Selectable<Database['audit_log']>, 'at' | 'changes' | 'seq' | 'prev_hash' | 'hash'> & {
  /** UTC with six decimals and the era: `2026-11-23T06:30:00.123000 AD`. */
  at_text: string | null
  /** The output of `jsonb` with ordered keys and normalized numbers. */
  changes_text: string
}

/** A row of the log with its time and its changes as text. */
export type RowText = EntryText & Pick<Selectable<Database['audit_log']>, 'seq' | 'prev_hash' | 'hash'>

/**
 * The columns of `EntryText`. Functions are named with their schema, because the owner of the database could
 * replace them.
 */
export const ENTRY_TEXTS = sql`
  pg_catalog.to_char(pg_catalog.timezone('UTC', at), 'YYYY-MM-DD"T"HH24:MI:SS.US AD') as at_text,
  actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name,
  pg_catalog.concat(changes) as changes_text, address, request_id, tenant_id`

/** The hash of a row in hexadecimal digits: SHA-256 over the previous hash and the text of the row. */
export function hashOfRow(row: Omit<RowText, 'hash'>): string {
  return createHash('sha256').update(row.prev_hash).update(hashedText(row)).digest('hex')
}

/** The columns of `hashedText`, in its order. */
export const HASHED_COLUMNS = [
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
  'changes',
  'address',
  'request_id',
] as const

/**
 * The hashed text of a row: a JSON array in one line. It is the text of the same array as `jsonb`, because
 * `JSON.stringify` escapes the same characters as PostgreSQL.
 */
export function hashedText(row: Omit<RowText, 'hash'>): string {
  // The column has milliseconds. Other digits or another era remain in the text, so the hash differs.
  const at = row.at_text?.replace(/000 AD$/, '') ?? null
  const before = [row.seq, at, row.actor_id, row.actor_email, row.action, row.outcome, row.reason]
  const target = [row.target_type, row.target_id, row.target_name, row.tenant_id]
  const texts = [...[...before, ...target].map(textOf), row.changes_text, textOf(row.address), textOf(row.request_id)]
  return `[${texts.join(', ')}]`
}

function textOf(value: string | number | null): string {
  return JSON.stringify(value)
}
