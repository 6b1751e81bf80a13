import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** A row of the chain and its hash in hexadecimal digits: rows cut off the end show only against one noted elsewhere. */
export type AuditAnchor = { seq: number; hash: string }

/** How far a check has come: all of `rows` up to `checked` holds, or something does not. */
export type ChainState = { checked: AuditAnchor; rows: number } & (
  | { state: 'checking' | 'holds' }
  | { state: 'broken'; problem: string; broken_row: number | null }
)

/** Before the first row. */
export const CHAIN_START: AuditAnchor = { seq: 0, hash: '0'.repeat(64) }

/** Rows checked by one statement: a fifth of a second or so, far below the statement timeout. */
const CHUNK = 10_000

/**
 * Recomputes every hash of the audit log from `from` on and holds its end against `audit_head` and, when given, against
 * one noted earlier. Finds edited, removed, inserted and reordered rows. Says after each part how far it is, last
 * whether all holds; so it can be stopped, and gone on with from what was `checked`.
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
    const next = await checkChunk(db, checked, end.head.seq)
    if (next.broken_row !== null) return yield broken(`The chain breaks at row ${next.broken_row}.`, next.broken_row)
    checked = next.last
    yield { ...at(), state: 'checking' }
  }
  if (checked.seq !== end.head.seq || checked.hash !== end.head.hash)
    return yield broken(`Row ${checked.seq} is not the end that the log's head names.`, checked.seq)
  if (noted !== undefined) {
    const hash = noted.seq === 0 ? CHAIN_START.hash : await hashOf(db, noted.seq)
    if (hash === undefined)
      return yield broken(
        `The log has ${end.head.seq} rows, but row ${noted.seq} was noted: rows were cut off its end.`,
      )
    if (hash !== noted.hash) return yield broken(`Row ${noted.seq} is not the one that was noted.`, noted.seq)
  }
  yield { ...at(), state: 'holds' }
}

/** Checks the whole chain, however long that takes: the last word of `checkAuditChain`. */
export async function verifyAuditChain(...given: Parameters<typeof checkAuditChain>): Promise<ChainState> {
  let last: ChainState | undefined
  for await (const state of checkAuditChain(...given)) last = state
  if (last === undefined) throw new Error('The check said nothing.')
  return last
}

type End = { head: AuditAnchor; problem: string | null; broken_row: number | null }

/** Where the chain ends by its head; all of one moment, however many write. */
async function endOfChain(db: Kysely<Database>): Promise<End> {
  const { rows } = await sql<{ seq: number; hash: string; first: number | null; last: number | null }>`
    select seq, encode(hash, 'hex') as hash,
      (select min(seq) from audit_log) as first, (select max(seq) from audit_log) as last
    from audit_head`.execute(db)
  const [head] = rows
  if (head === undefined) return { head: CHAIN_START, problem: 'The head of the log is gone.', broken_row: null }
  const { first, last, ...anchor } = head
  if (first !== null && first !== 1)
    return { head: anchor, problem: `The chain breaks at row 1: the log begins with row ${first}.`, broken_row: 1 }
  if ((last ?? 0) !== head.seq) {
    const problem = `The log ends at row ${last ?? 0}, but its head says row ${head.seq}.`
    return { head: anchor, problem, broken_row: Math.min(last ?? 0, head.seq) + 1 }
  }
  return { head: anchor, problem: null, broken_row: null }
}

async function checkChunk(db: Kysely<Database>, checked: AuditAnchor, end: number) {
  const last = Math.min(checked.seq + CHUNK, end)
  const { rows } = await sql<{ count: number; first_broken: number | null; last_hash: string | null }>`
    with linked as (
      select seq, hash,
        ${checked.seq}::bigint + row_number() over in_order as expected_seq,
        hash = audit_row_hash(entry)
          and prev_hash = coalesce(lag(hash) over in_order, decode(${checked.hash}, 'hex')) as holds
      from audit_log as entry where seq > ${checked.seq} and seq <= ${last} window in_order as (order by seq)
    )
    select count(*) as count,
      min(expected_seq) filter (where holds is not true or seq <> expected_seq) as first_broken,
      (select encode(hash, 'hex') from linked order by seq desc limit 1) as last_hash
    from linked`.execute(db)
  const { count = 0, first_broken = null, last_hash = null } = rows[0] ?? {}
  const missing = checked.seq + count < last ? checked.seq + count + 1 : null
  return { broken_row: first_broken ?? missing, last: { seq: last, hash: last_hash ?? '' } }
}

async function hashOf(db: Kysely<Database>, seq: number): Promise<string | undefined> {
  const row = await db.selectFrom('audit_log').select('hash').where('seq', '=', seq).executeTakeFirst()
  return row?.hash.toString('hex')
}
