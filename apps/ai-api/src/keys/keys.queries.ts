import type { KeyOutcome } from '@switchboard/contract/api-keys'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'

/** What must be known of a key to judge it. `is_expired` is by the database's clock at the time of asking. */
export type KnownKey = {
  hash: string
  api_key_id: string
  tenant_id: string
  is_revoked: boolean
  is_tenant_active: boolean
  is_active: boolean
  is_expired: boolean
  expires_at: string | null
  grace_ends_at: string | null
  allowed_origins: string[]
}

/** The keys with these hashes (SHA-256 in hex). Unnamed on purpose: a prepared `any` is planned for any number of them. */
export async function keysByHash(db: Kysely<Database>, hashes: string[]): Promise<KnownKey[]> {
  const { rows } = await sql<KnownKey>`
    select encode(key_hash, 'hex') as hash, api_keys.id as api_key_id, tenant_id, revoked_at is not null as is_revoked,
      status = 'active' as is_tenant_active, is_active,
      coalesce(expires_at <= clock_timestamp(), false) as is_expired, expires_at, grace_ends_at, allowed_origins
    from api_keys join tenants on tenants.id = tenant_id
    where key_hash = any(${`{${hashes.map((hash) => `"\\\\x${hash}"`).join(',')}}`}::bytea[])`.execute(db)
  return rows
}

/** What one process counted in one stretch of time. Written once, however often it is sent. */
export type UseBatch = {
  writer: string
  number: number
  /** How long ago each key was last found valid, in milliseconds. */
  used: { id: string; ageMs: number }[]
  counts: { id: string; outcome: KeyOutcome; count: number }[]
}

/** Adds a batch to the daily counts and moves `last_used_at` forward, both or neither. Keys that are gone are left out. */
export async function writeUse(db: Kysely<Database>, { writer, number, used, counts }: UseBatch): Promise<void> {
  await sql`
    with fresh as (
      insert into api_key_use_writers as known (id, batch, at) values (${writer}, ${number}, now())
      on conflict (id) do update set batch = excluded.batch, at = excluded.at where known.batch < excluded.batch
      returning id
    ),
    -- In one order everywhere, so that two processes wait for each other instead of blocking each other.
    locked as materialized (
      select id from api_keys
      where id = any(${counts.map(({ id }) => id)}::uuid[]) and exists (select from fresh)
      order by id for no key update
    ),
    used as (
      select * from unnest(${used.map(({ id }) => id)}::uuid[], ${used.map(({ ageMs }) => ageMs)}::float8[]) as used (id, age)
    ),
    touched as (
      update api_keys set last_used_at = greatest(last_used_at, clock_timestamp() - age * interval '1 millisecond')
      from used join locked using (id) where api_keys.id = used.id
    )
    insert into api_key_outcomes (api_key_id, day, outcome, count)
    select id, (now() at time zone 'UTC')::date, outcome, added
    from unnest(
      ${counts.map(({ id }) => id)}::uuid[],
      ${counts.map(({ outcome }) => outcome)}::text[],
      ${counts.map(({ count }) => count)}::bigint[]
    ) as counted (id, outcome, added) join locked using (id)
    order by id, outcome
    on conflict (api_key_id, day, outcome) do update set count = api_key_outcomes.count + excluded.count`.execute(db)
}

/** Forgets a process that has written its last batch, and those that were killed before they could say so. */
export async function forgetWriter(db: Kysely<Database>, writer: string): Promise<void> {
  await sql`delete from api_key_use_writers where id = ${writer} or at < now() - interval '1 day'`.execute(db)
}
