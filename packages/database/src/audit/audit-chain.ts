import { type Kysely, type Selectable, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { type AuditAnchor, CHAIN_START } from './audit-anchor.ts'
import { problemOfDefinitions } from './audit-definitions.ts'
import { ENTRY_TEXTS, hashOfRow, type RowText } from './audit-row.ts'
import { deletedEnd, type DeletedMonth, deletedMonthOf, endOfMonth, problemOfMonths } from './deleted-months.ts'
import { type Unsealed, unsealedEntries } from './unsealed-entries.ts'

/**
 * Progress of a check: all rows from the deleted months up to `checked` hold. `rows` is the number of all rows, with the
 * deleted ones.
 */
export type ChainState = { checked: AuditAnchor; rows: number; deleted: readonly DeletedMonth[] } & (
  | { state: 'checking' }
  /** Nothing proves the unsealed entries. */
  | { state: 'holds'; unsealed: Unsealed }
  | { state: 'broken'; problem: string; broken_row: number | null }
)

/** Rows per statement: hashing the rows blocks the event loop for about 15 ms. */
const CHUNK = 1_000

/**
 * Recomputes every hash of the audit log from `from` on and compares its end with `audit_head` and, when given, with an
 * end noted earlier, then checks the definitions of the log. Finds edited, removed, inserted and reordered rows, and
 * another view or trigger. It proves nothing about unsealed entries, and counts them. Yields the progress after each
 * part, last the result, so a caller can stop and continue from `checked`.
 *
 * The check begins after the deleted months, which must join. A noted row within a deleted month is not compared: the
 * sinks have it.
 *
 * Hashes are computed in this process. Every function and operator with an effect on a value is named with its schema,
 * because the owner of the database can replace functions and operators in its schemas.
 */
export async function* checkAuditChain(
  db: Kysely<Database>,
  { from = CHAIN_START, noted }: { from?: AuditAnchor | undefined; noted?: AuditAnchor | undefined } = {},
): AsyncGenerator<ChainState> {
  const end = await endOfChain(db)
  const { deleted } = end
  const gone = deletedEnd(deleted)
  let checked = from.seq < gone.seq ? gone : from
  const at = () => ({ checked, rows: end.head.seq, deleted })
  const isDeletedSince = async () => deletedEnd((await endOfChain(db)).deleted).seq > gone.seq
  const broken = (problem: string, broken_row: number | null = null) =>
    ({ ...at(), state: 'broken', problem, broken_row }) as const
  if (end.problem !== null) return yield broken(end.problem, end.broken_row)
  while (checked.seq < end.head.seq) {
    const { last, brokenRow } = checkRows(checked, await rowsAfter(db, checked.seq, end.head.seq))
    if (brokenRow !== null) {
      if (await isDeletedSince()) return yield* checkAuditChain(db, { noted })
      return yield broken(`The chain breaks at row ${brokenRow}.`, brokenRow)
    }
    checked = last
    yield { ...at(), state: 'checking' }
  }
  if (checked.seq !== end.head.seq || checked.hash !== end.head.hash)
    return yield broken(`Row ${checked.seq} differs from the end in the head of the log.`, checked.seq)
  if (noted !== undefined && noted.seq > gone.seq) {
    const hash = await storedHash(db, noted.seq)
    if (hash === undefined && (await isDeletedSince())) return yield* checkAuditChain(db, { noted })
    if (hash === undefined)
      return yield broken(
        `The log has ${end.head.seq} rows, but row ${noted.seq} was noted: rows were cut off its end.`,
      )
    if (hash !== noted.hash) return yield broken(`Row ${noted.seq} differs from the noted row.`, noted.seq)
  }
  // The table has the hashes before the first row and after each deleted month.
  const atEnd = [CHAIN_START, ...deleted.map(endOfMonth)].find(({ seq }) => seq === noted?.seq)
  if (atEnd !== undefined && atEnd.hash !== noted?.hash)
    return yield broken(`Row ${atEnd.seq} differs from the noted row.`, atEnd.seq)
  const problem = await problemOfDefinitions(db)
  if (problem !== null) return yield broken(problem)
  yield { ...at(), state: 'holds', unsealed: await unsealedEntries(db) }
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
  // Only this table: a backup before an upgrade reads the end on the schema of the previous release.
  const head = await db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirst()
  return head === undefined ? CHAIN_START : { seq: head.seq, hash: head.hash.toString('hex') }
}

type End = {
  head: AuditAnchor
  deleted: DeletedMonth[]
  problem: string | null
  broken_row: number | null
}

type EndRow = {
  head_seq: number
  head_hash: Buffer
  first: number | null
  last: number | null
  are_tables: boolean
} & Nullable<Selectable<Database['audit_deleted_months']>>

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null }

/** The end of the chain by its head, and the deleted months, all from a single snapshot, however many processes write. */
async function endOfChain(db: Kysely<Database>): Promise<End> {
  // A view or a row policy could show the check another log than readers see.
  const { rows } = await sql<EndRow>`
    select head.seq as head_seq, head.hash as head_hash,
      (select pg_catalog.min(seq) from audit_log) as first, (select pg_catalog.max(seq) from audit_log) as last,
      (
        select pg_catalog.bool_and(relkind operator(pg_catalog.=) 'r' and not relrowsecurity)
        from pg_catalog.pg_class where oid operator(pg_catalog.=) any (
          array['audit_log'::pg_catalog.regclass, 'audit_deleted_months'::pg_catalog.regclass]::pg_catalog.oid[]
        )
      ) as are_tables,
      deleted.*
    from audit_head as head left join audit_deleted_months as deleted on true
    order by deleted.first_seq`.execute(db)
  const [row] = rows
  if (row === undefined)
    return { head: CHAIN_START, deleted: [], problem: 'The head of the log is gone.', broken_row: null }
  const { head_seq, head_hash, first, last, are_tables } = row
  const head = { seq: head_seq, hash: head_hash.toString('hex') }
  const deleted = rows.filter(isDeleted).map(deletedMonthOf)
  const { seq: gone } = deletedEnd(deleted)
  const end = { head, deleted, broken_row: null }
  if (!are_tables) return { ...end, problem: 'The log is not an ordinary table.' }
  const problem = problemOfMonths(deleted)
  if (problem !== null) return { ...end, problem }
  if (first !== null && first !== gone + 1) {
    const expected = gone + 1
    return {
      ...end,
      problem: `The chain breaks at row ${expected}: the log begins with row ${first}.`,
      broken_row: expected,
    }
  }
  const lastRow = last ?? gone
  if (lastRow !== head.seq) {
    const sentence = `The log ends at row ${lastRow}, but its head says row ${head.seq}.`
    return { ...end, problem: sentence, broken_row: Math.min(lastRow, head.seq) + 1 }
  }
  return { ...end, problem: null }
}

/** Without deleted months, the join has one row of nulls. */
function isDeleted(row: EndRow): row is EndRow & Selectable<Database['audit_deleted_months']> {
  return row.month !== null
}

/** The next rows of the log up to row `end`, each value as the hashed text. */
export async function rowsAfter(db: Kysely<Database>, seq: number, end: number): Promise<RowText[]> {
  const { rows } = await sql<RowText>`
    select seq, ${ENTRY_TEXTS}, prev_hash, hash
    from audit_log
    where seq operator(pg_catalog.>) ${seq}::pg_catalog.int8 and seq operator(pg_catalog.<=) ${end}::pg_catalog.int8
    order by seq
    limit ${CHUNK}`.execute(db)
  return rows
}

/** Checks that `rows` continue the chain after `checked`, row by row without a gap. */
export function checkRows(checked: AuditAnchor, rows: readonly RowText[]) {
  let last = checked
  for (const row of rows) {
    const continues = row.seq === last.seq + 1 && row.prev_hash.toString('hex') === last.hash
    const hash = row.hash.toString('hex')
    if (!continues || hash !== hashOfRow(row)) return { last, brokenRow: last.seq + 1 }
    last = { seq: row.seq, hash }
  }
  return { last, brokenRow: rows.length === 0 ? last.seq + 1 : null }
}

/** The hash of a row in the log, in hexadecimal digits. Undefined for a row that the log does not have. */
export async function storedHash(db: Kysely<Database>, seq: number): Promise<string | undefined> {
  const { rows } = await sql<{ seq: number; hash: Buffer }>`
    select seq, hash from audit_log where seq operator(pg_catalog.=) ${seq}::pg_catalog.int8`.execute(db)
  return rows.find((row) => row.seq === seq)?.hash.toString('hex')
}
