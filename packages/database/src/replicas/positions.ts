import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'

/**
 * A place in the write-ahead log. Places of two servers are comparable when their lineage (cluster and timeline) is equal:
 * a promoted standby begins a timeline of its own, and other servers may lack its changes at a higher place.
 */
export type Position = {
  lineage: string
  /** Bytes since the beginning of the log. */
  bytes: number
}

/**
 * The position of a primary: every change that was visible before the call is at or before this position. Throws on a
 * standby. `null` where commits do not wait for the log, because then a visible change may come later in the log.
 */
export async function primaryPosition(db: Kysely<Database>): Promise<Position | null> {
  const { rows } = await sql<Position & { is_ordered: boolean }>`
    select pg_wal_lsn_diff(flushed, '0/0') as bytes,
      system_identifier || '/' || ('x' || left(pg_walfile_name(flushed), 8))::bit(32)::int as lineage,
      current_setting('synchronous_commit') <> 'off' as is_ordered
    from pg_current_wal_flush_lsn() as flushed, pg_control_system()`.execute(db)
  const [found] = rows
  return found?.is_ordered === true ? { lineage: found.lineage, bytes: found.bytes } : null
}

/**
 * The position up to which a standby has all changes. `bytes` is null on a primary. Throws on a standby that does not say its
 * position. The timeline of the receiver is shown to members of `pg_read_all_stats`; others see the one of the latest
 * checkpoint.
 */
export async function standbyPosition(db: Kysely<Database>): Promise<{ lineage: string; bytes: number | null }> {
  const { rows } = await sql<{ bytes: number | null; timeline: number; system: string; is_standby: boolean }>`
    select pg_is_in_recovery() as is_standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as bytes,
      system_identifier::text as system,
      case when pg_is_in_recovery() then coalesce((select received_tli from pg_stat_wal_receiver), timeline_id)
        else ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int end as timeline
    from pg_control_system(), pg_control_checkpoint()`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('it does not answer')
  const lineage = `${found.system}/${found.timeline}`
  if (!found.is_standby) return { lineage, bytes: null }
  if (found.bytes === null) throw new Error('it does not say how much of the log it has replayed')
  return { lineage, bytes: found.bytes }
}
