import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { hashOfRow, ROW_TEXTS, type RowText } from './audit-row.ts'

/** Writers' chains that are open at any time, as in the migration. */
const OPEN_CHAINS = 64
/** Entries per statement. */
const CHUNK = 1_000

/** An unsealed entry, its id as `seq`. `place` is its physical place, because a forged entry may repeat an id. */
export type UnsealedEntry = RowText & { tail: number; place: string }

/** Number of unsealed entries, the ends of their chains (`CHAIN:HASH`), and what is wrong with them. */
type UnsealedState = { entries: number; ends: string[]; problem: string | null }

/**
 * Recomputes the writers' chains of all unsealed entries, each from its last sealed entry to its end, in one snapshot.
 * Finds edited, removed, inserted and reordered entries, unless the owner of the database has rewritten a chain with
 * its end. Hashes are computed in this process, as in `checkAuditChain`.
 */
export async function checkUnsealed(db: Kysely<Database>): Promise<UnsealedState> {
  if (db.isTransaction) return await checkSnapshot(db)
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(checkSnapshot)
}

async function checkSnapshot(db: Kysely<Database>): Promise<UnsealedState> {
  let entries = 0
  const broken = (problem: string) => ({ entries, ends: [], problem })
  if (!(await areTables(db))) return broken('A table of the unsealed entries is not an ordinary table.')
  const chains = await chainsOf(db)
  const isComplete = chains.every(({ tail, sealed, end }, n) => tail === n + 1 && sealed !== null && end !== null)
  if (!isComplete || chains.filter(({ is_closed }) => is_closed === false).length !== OPEN_CHAINS)
    return broken('The log has lost an end of its unsealed entries.')

  const hashes = new Map(chains.map(({ tail, sealed }) => [tail, sealed]))
  let last = { seq: -1, place: '(0,0)' }
  for (let chunk = await entriesAfter(db, last); chunk.length > 0; chunk = await entriesAfter(db, last))
    for (const entry of chunk) {
      if (!continuesChain(entry, hashes.get(entry.tail)))
        return broken(`The unsealed entries break at entry ${entry.seq} of chain ${entry.tail}.`)
      hashes.set(entry.tail, entry.hash.toString('hex'))
      entries += 1
      last = entry
    }
  for (const { tail, end, is_closed } of chains) {
    if (hashes.get(tail) !== end) return broken(`The newest unsealed entries of chain ${tail} are missing.`)
    if (is_closed === true) return broken(`Entries of chain ${tail} could not be sealed, because the chain was broken.`)
  }
  const ends = chains.filter(({ sealed, end }) => sealed !== end).map(({ tail, end }) => `${tail}:${end}`)
  return { entries, ends, problem: null }
}

/** Whether an entry follows the entry with this hash, and its own hash is right. */
export function continuesChain(entry: UnsealedEntry, hash: string | null | undefined): boolean {
  return entry.prev_hash.toString('hex') === hash && entry.hash.toString('hex') === hashOfRow(entry)
}

/** The columns of `UnsealedEntry`. */
export const UNSEALED_COLUMNS = sql`id as seq, tail, ctid::pg_catalog.text as place, ${ROW_TEXTS}`

/** The next entries after `last`, in the order of sealing. */
async function entriesAfter(db: Kysely<Database>, last: Pick<UnsealedEntry, 'seq' | 'place'>) {
  const { rows } = await sql<UnsealedEntry>`
    select ${UNSEALED_COLUMNS} from audit_unsealed
    where id operator(pg_catalog.>=) ${last.seq}::pg_catalog.int8
      and (id, ctid) operator(pg_catalog.>) (${last.seq}::pg_catalog.int8, ${last.place}::pg_catalog.tid)
    order by id, ctid limit ${CHUNK}`.execute(db)
  return rows
}

/** A writers' chain: the hash of its last sealed entry and of its newest entry. */
type Chain = { tail: number; sealed: string | null; end: string | null; is_closed: boolean | null }

async function chainsOf(db: Kysely<Database>): Promise<Chain[]> {
  const { rows } = await sql<Chain>`
    select coalesce(audit_tails.tail, audit_sealed.tail) as tail, pg_catalog.encode(audit_sealed.hash, 'hex') as sealed,
      pg_catalog.encode(audit_tails.hash, 'hex') as end, is_closed
    from audit_tails full join audit_sealed on audit_tails.tail operator(pg_catalog.=) audit_sealed.tail
    order by 1`.execute(db)
  return rows
}

/** A view or a row policy could show the check other entries than the sealer sees. */
async function areTables(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ are_tables: boolean }>`
    select pg_catalog.bool_and(relkind operator(pg_catalog.=) 'r' and not relrowsecurity) as are_tables
    from pg_catalog.pg_class where oid operator(pg_catalog.=) any(array[
      'audit_unsealed'::pg_catalog.regclass::pg_catalog.oid, 'audit_tails'::pg_catalog.regclass::pg_catalog.oid,
      'audit_sealed'::pg_catalog.regclass::pg_catalog.oid
    ])`.execute(db)
  return rows[0]?.are_tables === true
}
