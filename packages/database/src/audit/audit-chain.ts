import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { hashOfRow, ROW_TEXTS, type RowText } from './audit-row.ts'
import { checkUnsealed } from './unsealed-entries.ts'

/** A row of the chain and its hash in hexadecimal digits. An anchor noted elsewhere reveals rows cut off the end. */
export type AuditAnchor = { seq: number; hash: string }

/** Progress of a check: all rows up to `checked` hold. `rows` is the number of all rows. */
export type ChainState = { checked: AuditAnchor; rows: number } & (
  | { state: 'checking' }
  /** `unsealed` is the number of entries that wait for their place in the chain; they hold too. */
  | { state: 'holds'; unsealed: number }
  | { state: 'broken'; problem: string; broken_row: number | null }
)

/** The anchor before the first row. */
export const CHAIN_START: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** Rows per statement: hashing the rows blocks the event loop for about 15 ms. */
const CHUNK = 1_000

/**
 * Recomputes every hash of the audit log from `from` on and compares its end with `audit_head` and, when given, with an
 * end noted earlier, then checks the unsealed entries. Finds edited, removed, inserted and reordered rows. Yields the progress after each part, last the
 * result, so a caller can stop and continue from `checked`.
 *
 * Hashes are computed in this process. Every function and operator with an effect on a value is named with its schema,
 * because the owner of the database can replace functions and operators of its own schemas.
 */
export async function* checkAuditChain(
  db: Kysely<Database>,
  { from = CHAIN_START, noted }: { from?: AuditAnchor | undefined; noted?: AuditAnchor | undefined } = {},
): AsyncGenerator<ChainState> {
  let checked = from
  const end = await endOfChain(db)
  const at = () => ({ checked, rows: end.head.seq })
  const broken = (problem: string, broken_row: number | null = null) =>
    ({ ...at(), state: 'broken', problem, broken_row }) as const
  if (end.problem !== null) return yield broken(end.problem, end.broken_row)
  while (checked.seq < end.head.seq) {
    const { last, brokenRow } = checkRows(checked, await rowsAfter(db, checked.seq, end.head.seq))
    if (brokenRow !== null) return yield broken(`The chain breaks at row ${brokenRow}.`, brokenRow)
    checked = last
    yield { ...at(), state: 'checking' }
  }
  if (checked.seq !== end.head.seq || checked.hash !== end.head.hash)
    return yield broken(`Row ${checked.seq} differs from the end in the head of the log.`, checked.seq)
  if (noted !== undefined) {
    const hash = noted.seq === 0 ? CHAIN_START.hash : await storedHash(db, noted.seq)
    if (hash === undefined)
      return yield broken(
        `The log has ${end.head.seq} rows, but row ${noted.seq} was noted: rows were cut off its end.`,
      )
    if (hash !== noted.hash) return yield broken(`Row ${noted.seq} differs from the noted row.`, noted.seq)
  }
  const { entries, problem } = await checkUnsealed(db)
  if (problem !== null) return yield broken(problem)
  yield { ...at(), state: 'holds', unsealed: entries }
}

/** @internal Checks the whole chain, for tests and benchmarks. Returns the last state of `checkAuditChain`. */
export async function verifyAuditChain(...given: Parameters<typeof checkAuditChain>): Promise<ChainState> {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(...given)) last = state
  if (last === undefined) throw new Error('The check returned no state.')
  return last
}

/** The current end of the audit log, to be noted outside of the database. */
export async function auditEnd(db: Kysely<Database>): Promise<AuditAnchor> {
  return (await endOfChain(db)).head
}

type End = { head: AuditAnchor; problem: string | null; broken_row: number | null }

type EndRow = { seq: number; hash: Buffer; first: number | null; last: number | null; is_table: boolean }

/** The end of the chain by its head, all from a single snapshot, however many processes write. */
async function endOfChain(db: Kysely<Database>): Promise<End> {
  // A view or a row policy could show the check another log than readers see.
  const { rows } = await sql<EndRow>`
    select seq, hash,
      (select pg_catalog.min(seq) from audit_log) as first, (select pg_catalog.max(seq) from audit_log) as last,
      (
        select relkind operator(pg_catalog.=) 'r' and not relrowsecurity
        from pg_catalog.pg_class where oid operator(pg_catalog.=) 'audit_log'::pg_catalog.regclass
      ) as is_table
    from audit_head`.execute(db)
  const [row] = rows
  if (row === undefined) return { head: CHAIN_START, problem: 'The head of the log is gone.', broken_row: null }
  const { first, last, is_table } = row
  const head = { seq: row.seq, hash: row.hash.toString('hex') }
  if (!is_table) return { head, problem: 'The log is not an ordinary table.', broken_row: null }
  if (first !== null && first !== 1)
    return { head, problem: `The chain breaks at row 1: the log begins with row ${first}.`, broken_row: 1 }
  if ((last ?? 0) !== head.seq) {
    const problem = `The log ends at row ${last ?? 0}, but its head says row ${head.seq}.`
    return { head, problem, broken_row: Math.min(last ?? 0, head.seq) + 1 }
  }
  return { head, problem: null, broken_row: null }
}

/** The next rows of the log up to row `end`, each value as the hashed text. */
async function rowsAfter(db: Kysely<Database>, seq: number, end: number): Promise<RowText[]> {
  const { rows } = await sql<RowText>`
    select seq, ${ROW_TEXTS}
    from audit_log
    where seq operator(pg_catalog.>) ${seq}::pg_catalog.int8 and seq operator(pg_catalog.<=) ${end}::pg_catalog.int8
    order by seq
    limit ${CHUNK}`.execute(db)
  return rows
}

/** Checks that `rows` continue the chain after `checked`, row by row without a gap. */
function checkRows(checked: AuditAnchor, rows: readonly RowText[]) {
  let last = checked
  for (const row of rows) {
    const continues = row.seq === last.seq + 1 && row.prev_hash.toString('hex') === last.hash
    const hash = row.hash.toString('hex')
    if (!continues || hash !== hashOfRow(row)) return { last, brokenRow: last.seq + 1 }
    last = { seq: row.seq, hash }
  }
  return { last, brokenRow: rows.length === 0 ? last.seq + 1 : null }
}

/** The stored hash of a row checked earlier. */
async function storedHash(db: Kysely<Database>, seq: number): Promise<string | undefined> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from audit_log where seq operator(pg_catalog.=) ${seq}::pg_catalog.int8`.execute(db)
  return rows.find((row) => row.seq === seq)?.hash.toString('hex')
}
