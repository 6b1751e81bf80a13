import type { MovedKind, StreamedEntry } from '@switchboard/contract/signals/stream'
import { entriesAfter } from '@switchboard/database/audit/read-log'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/**
 * The sealed entries after a position, oldest first, at most `limit`, with the current names of their actors and the current
 * versions of their records.
 */
export async function streamedEntriesAfter(db: Kysely<Database>, seq: number, limit: number): Promise<StreamedEntry[]> {
  const entries = await entriesAfter(db, seq, limit)
  if (entries.length === 0) return []
  const [names, versions] = await Promise.all([
    namesOf(db, [...new Set(entries.flatMap(({ actor_id }) => actor_id ?? []))]),
    versionsOf(db, [...new Set(entries.flatMap(({ target_id }) => target_id ?? []))]),
  ])
  return entries.map((entry) => ({
    seq: entry.seq,
    at: entry.at,
    actor_id: entry.actor_id,
    actor_email: entry.actor_email,
    actor_name: names.get(entry.actor_id ?? '') ?? null,
    action: entry.action,
    outcome: entry.outcome,
    target_type: entry.target_type,
    target_id: entry.target_id,
    target_name: entry.target_name,
    tenant_id: entry.tenant_id,
    request_id: entry.request_id,
    version: versions.get(entry.target_id ?? '') ?? null,
  }))
}

/** When the last row of each kind began and ended; null without one. */
export type LastMoves = Record<MovedKind, readonly (string | null)[]>

/** Each time is the end of an index. */
export async function lastMoves(db: Kysely<Database>): Promise<LastMoves> {
  type Times = Record<'run' | 'run_end' | 'delivery' | 'delivery_end', string | null>
  const { rows } = await sql<Times>`
    select
      (select max(created_at) from runs) as run,
      (select max(finished_at) from runs) as run_end,
      (select max(at) from webhook_deliveries) as delivery,
      (select max(ended_at) from webhook_deliveries) as delivery_end`.execute(db)
  const [{ run, run_end, delivery, delivery_end } = NONE] = rows
  return { runs: [run, run_end], deliveries: [delivery, delivery_end] }
}

const NONE = { run: null, run_end: null, delivery: null, delivery_end: null }

async function namesOf(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from users where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The versions of records of all kinds that have one. */
async function versionsOf(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    with named as (select unnest(${ids}::uuid[]) as id)
    select id, version from named join tenants using (id)
    union all select id, version from named join users using (id)
    union all select id, version from named join api_keys using (id)
    union all select id, version from named join tasks using (id)
    union all select id, version from named join prompt_templates using (id)
    union all select id, version from named join webhooks using (id)
    union all select id, version from named join log_sinks using (id)`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}
