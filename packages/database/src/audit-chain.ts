import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/** The end of the chain as printed and kept elsewhere: rows cut off the end show only against such an anchor. */
export type AuditAnchor = { seq: number; hash: string }

export type AuditVerdict = { ok: true; rows: number; head: AuditAnchor } | { ok: false; rows: number; problem: string }

/**
 * Recomputes every hash of the audit log in one pass of the database and holds the end against `audit_head` and, when
 * given, against an anchor noted earlier (hash in hex). Finds edited, removed, inserted and reordered rows.
 */
export async function verifyAuditChain(db: Kysely<Database>, anchor?: AuditAnchor): Promise<AuditVerdict> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const {
        rows: [found],
      } = await sql<ChainFacts>`
        with linked as (
          select seq, hash,
            row_number() over in_order as expected_seq,
            hash = audit_row_hash(entry)
              and prev_hash = coalesce(lag(hash) over in_order, decode(repeat('00', 32), 'hex')) as holds
          from audit_log as entry window in_order as (order by seq)
        )
        select count(*) as rows,
          min(expected_seq) filter (where not holds or seq <> expected_seq) as first_broken,
          (select encode(hash, 'hex') from linked order by seq desc limit 1) as last_hash,
          (select encode(hash, 'hex') from linked where seq = ${anchor?.seq ?? 0}) as anchored_hash
        from linked`.execute(trx)
      const head = await trx.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
      if (found === undefined) throw new Error('The verification answered no row.')
      return verdict(found, { seq: head.seq, hash: head.hash.toString('hex') }, anchor)
    })
}

type ChainFacts = { rows: number; first_broken: number | null; last_hash: string | null; anchored_hash: string | null }

function verdict(found: ChainFacts, head: AuditAnchor, anchor: AuditAnchor | undefined): AuditVerdict {
  const broken = (problem: string): AuditVerdict => ({ ok: false, rows: found.rows, problem })
  if (found.first_broken !== null) return broken(`The chain breaks at row ${found.first_broken}.`)
  if (found.rows !== head.seq || (found.last_hash !== null && found.last_hash !== head.hash)) {
    return broken(`The log ends at row ${found.rows}, but its head says row ${head.seq}.`)
  }
  if (anchor !== undefined && anchor.seq > 0 && found.anchored_hash !== anchor.hash) {
    return broken(`Row ${anchor.seq} is not the one that the anchor names.`)
  }
  return { ok: true, rows: found.rows, head }
}
