import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#src/tables.ts'
import { inTransaction } from '#src/in-transaction.ts'
import { hashOfRow } from './audit-row.ts'
import { continuesChain, UNSEALED_COLUMNS, type UnsealedEntry } from './unsealed-entries.ts'

/** Entries per transaction: hashing them twice blocks the event loop for about 30 ms. */
const BATCH = 1_000
/** Transactions of a call: about a second. */
const BATCHES_MAX = 10

/** Number of sealed entries, and the writers' chains that were found broken and closed. */
export type Sealed = { entries: number; broken: number[] }

/**
 * Moves the entries that are unsealed now into the chain of the audit log, in batches, at most 10,000. Writers do not wait for
 * it. Any number of processes may call it at once: they take turns. Entries of a broken writers' chain stay, and the chain is
 * closed.
 */
export async function sealAudit(db: Kysely<Database>): Promise<Sealed> {
  const sealed: Sealed = { entries: 0, broken: [] }
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from audit_unsealed`.execute(db)
  const last = rows[0]?.last ?? null
  if (last === null) return sealed
  for (let n = 0; n < BATCHES_MAX; n += 1) {
    const batch = await inTransaction(db, (trx) => sealBatch(trx, last))
    sealed.entries += batch.entries
    sealed.broken.push(...batch.broken)
    if (!batch.isFull) break
  }
  return sealed
}

/** Seals the oldest entries up to id `last`. Throws when an entry changes in the meantime. */
async function sealBatch(trx: Transaction<Database>, last: number): Promise<Sealed & { isFull: boolean }> {
  // The lock elects the sealer.
  const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).forUpdate().executeTakeFirstOrThrow()
  const { rows } = await sql<UnsealedEntry>`
    select ${UNSEALED_COLUMNS} from audit_unsealed
    where id <= ${last} and tail in (select tail from audit_tails where not is_closed)
    order by id, ctid limit ${BATCH}`.execute(trx)
  const sealedHashes = await trx.selectFrom('audit_sealed').selectAll().execute()
  const ends = new Map(sealedHashes.map(({ tail, hash }) => [tail, hash.toString('hex')]))
  const broken = new Set<number>()
  const moves: Move[] = []
  for (const entry of rows) {
    if (broken.has(entry.tail)) continue
    if (!continuesChain(entry, ends.get(entry.tail))) {
      broken.add(entry.tail)
      continue
    }
    ends.set(entry.tail, entry.hash.toString('hex'))
    const row = { ...entry, seq: head.seq + 1, prev_hash: head.hash }
    head.seq = row.seq
    head.hash = Buffer.from(hashOfRow(row), 'hex')
    moves.push({ place: entry.place, seq: row.seq, prev_hash: row.prev_hash, hash: head.hash })
  }
  if (moves.length > 0) {
    await moveEntries(trx, moves)
    await trx.updateTable('audit_head').set(head).execute()
    await setSealedHashes(trx, ends)
  }
  for (const tail of broken) await closeChain(trx, tail)
  return { entries: moves.length, broken: [...broken], isFull: rows.length === BATCH }
}

/** An entry by its place, and its row in the chain of the log. */
type Move = { place: string; seq: number; prev_hash: Buffer; hash: Buffer }

async function moveEntries(trx: Transaction<Database>, moves: readonly Move[]): Promise<void> {
  const hexOf = (hashes: Buffer[]) => hashes.map((hash) => hash.toString('hex'))
  const { numAffectedRows } = await sql`
    with sealed as (
      select * from unnest(
        ${moves.map(({ place }) => place)}::tid[], ${moves.map(({ seq }) => seq)}::bigint[],
        ${hexOf(moves.map((move) => move.prev_hash))}::text[], ${hexOf(moves.map((move) => move.hash))}::text[]
      ) as sealed (place, seq, prev_hash, hash)
    ),
    moved as (
      delete from audit_unsealed where ctid = any(${moves.map(({ place }) => place)}::tid[])
      returning ctid as place, audit_unsealed.*
    )
    insert into audit_log (
      seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
      address, request_id, prev_hash, hash
    )
    select
      sealed.seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
      address, request_id, decode(sealed.prev_hash, 'hex'), decode(sealed.hash, 'hex')
    from moved join sealed using (place)
    order by sealed.seq`.execute(trx)
  if (numAffectedRows !== BigInt(moves.length)) throw new Error('Unsealed entries changed while they were sealed.')
}

async function setSealedHashes(trx: Transaction<Database>, ends: ReadonlyMap<number, string>): Promise<void> {
  await sql`
    update audit_sealed set hash = decode(ends.hash, 'hex')
    from unnest(${[...ends.keys()]}::integer[], ${[...ends.values()]}::text[]) as ends (tail, hash)
    where audit_sealed.tail = ends.tail and audit_sealed.hash <> decode(ends.hash, 'hex')`.execute(trx)
}

/** Closes a broken writers' chain, so that its other entries stay as they are, and opens a new one. */
async function closeChain(trx: Transaction<Database>, tail: number): Promise<void> {
  await trx.updateTable('audit_tails').set({ is_closed: true }).where('tail', '=', tail).execute()
  await sql`
    with opened as (
      insert into audit_tails (tail, hash) select max(tail) + 1, decode(repeat('00', 32), 'hex') from audit_tails
      returning tail, hash
    )
    insert into audit_sealed (tail, hash) select tail, hash from opened`.execute(trx)
}
