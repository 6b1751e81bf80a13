import { type Kysely, sql, type Transaction } from 'kysely'
import { inTransaction } from '#src/in-transaction.ts'
import type { Database } from '#src/tables.ts'
import { ENTRY_TEXTS, type EntryText, hashOfRow } from './audit-row.ts'

/** Entries per transaction: hashing them blocks the event loop for about 15 ms. */
const BATCH = 1_000
/** Transactions per call: together they take about a second. */
const BATCHES_MAX = 10

/**
 * Moves the entries that are unsealed now, at most 10,000, to the end of the audit log in the order of their ids. Returns
 * how many it moved. Any number of processes may call it at once: the first one seals, and the others find nothing left.
 * Writers never wait for it.
 */
export async function sealAudit(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from audit_unsealed`.execute(db)
  const last = rows[0]?.last ?? null
  if (last === null) return 0
  let sealed = 0
  for (let n = 0; n < BATCHES_MAX; n += 1) {
    const entries = await inTransaction(db, (trx) => sealBatch(trx, last))
    sealed += entries
    if (entries < BATCH) break
  }
  return sealed
}

/** Seals the oldest entries up to id `last`. Throws when an entry changes in the meantime. */
async function sealBatch(trx: Transaction<Database>, last: number): Promise<number> {
  // The lock elects the sealer. The next statement sees what an earlier sealer has committed.
  const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).forUpdate().executeTakeFirstOrThrow()
  const { rows } = await sql<EntryText & { id: number }>`
    select id, ${ENTRY_TEXTS} from audit_unsealed where id <= ${last} order by id limit ${BATCH}`.execute(trx)
  if (rows.length === 0) return 0
  const moves: Move[] = []
  let end = head
  for (const entry of rows) {
    const row = { ...entry, seq: end.seq + 1, prev_hash: end.hash }
    end = { seq: row.seq, hash: Buffer.from(hashOfRow(row), 'hex') }
    moves.push({ id: entry.id, ...end, prev_hash: row.prev_hash })
  }
  await moveEntries(trx, moves)
  await trx.updateTable('audit_head').set(end).execute()
  return moves.length
}

/** An entry by its id, and its place in the chain. */
type Move = { id: number; seq: number; prev_hash: Buffer; hash: Buffer }

async function moveEntries(trx: Transaction<Database>, moves: readonly Move[]): Promise<void> {
  const ids = moves.map(({ id }) => id)
  const hexOf = (hashes: Buffer[]) => hashes.map((hash) => hash.toString('hex'))
  const { numAffectedRows } = await sql`
    with sealed as (
      select * from unnest(
        ${ids}::bigint[], ${moves.map(({ seq }) => seq)}::bigint[],
        ${hexOf(moves.map((move) => move.prev_hash))}::text[], ${hexOf(moves.map((move) => move.hash))}::text[]
      ) as sealed (id, seq, prev_hash, hash)
    ),
    moved as (delete from audit_unsealed where id = any(${ids}::bigint[]) returning *)
    insert into audit_log (
      seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
      address, request_id, prev_hash, hash
    )
    select
      sealed.seq, at, actor_id, actor_email, action, outcome, reason, target_type, target_id, target_name, tenant_id, changes,
      address, request_id, decode(sealed.prev_hash, 'hex'), decode(sealed.hash, 'hex')
    from moved join sealed using (id)
    order by sealed.seq`.execute(trx)
  if (numAffectedRows !== BigInt(moves.length)) throw new Error('Unsealed entries changed while they were sealed.')
}
