import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import { prepared } from '@switchboard/database/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * What must be known of a key to judge it. `refusal` is what makes it useless from anywhere, by the database's clock at
 * the time of asking; null when nothing does.
 */
export type KnownKey = {
  hash: string
  api_key_id: string
  tenant_id: string
  refusal: Exclude<KeyOutcome, 'valid' | 'origin_refused'> | null
  expires_at: string | null
  grace_ends_at: string | null
  allowed_origins: string[]
}

/** A key that was found, with the place of its hash among those that were asked for, from 1. */
type FoundKey = [
  place: number,
  api_key_id: string,
  tenant_id: string,
  refusal: KnownKey['refusal'],
  expires_at: string | null,
  grace_ends_at: string | null,
  allowed_origins: string[],
]

/** One JSON text for all keys: it is read twice as fast as rows. */
const KEYS_BY_HASH = prepared(`
  select json_agg(json_build_array(
    place, id, tenant_id,
    case
      when revoked_at is not null then 'revoked'
      when (select status from tenants where tenants.id = tenant_id) <> 'active' then 'tenant_inactive'
      when not is_active then 'disabled'
      when expires_at <= clock_timestamp() then 'expired'
    end,
    expires_at, to_char(grace_ends_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), allowed_origins
  )) as found
  from unnest($1::bytea[]) with ordinality as asked (hash, place) join api_keys on key_hash = hash`)

/** The key of each hash (SHA-256 in hex), judged in the order of reference 4.4, or null. */
export async function keysByHash(db: Kysely<Database>, hashes: readonly string[]): Promise<(KnownKey | null)[]> {
  const asked = arrayOf(hashes.map((hash) => `"\\\\x${hash}"`))
  const { rows } = await db.executeQuery<{ found: FoundKey[] | null }>(CompiledQuery.raw(KEYS_BY_HASH, [asked]))
  const keys: (KnownKey | null)[] = hashes.map(() => null)
  for (const one of rows[0]?.found ?? []) {
    const [place, api_key_id, tenant_id, refusal, expires_at, grace_ends_at, allowed_origins] = one
    const hash = hashes[place - 1] ?? ''
    keys[place - 1] = { hash, api_key_id, tenant_id, refusal, expires_at, grace_ends_at, allowed_origins }
  }
  return keys
}

/** How often the checks of a key ended in one way, and how long ago the last of them was, in milliseconds. */
export type KeyUse = { id: string; outcome: KeyOutcome; count: number; ageMs: number }

/** Part of what one process counted. Written once, however often it is sent. */
export type UseBatch = { writer: string; number: number; uses: readonly KeyUse[] }

/**
 * Adds a batch to the counts of the day and moves `last_at` forward, both or neither. Keys that are gone are left out;
 * that there are any is seen when the batch is refused, which is rare, and looked for only then.
 */
export async function writeUse(db: Kysely<Database>, batch: UseBatch): Promise<void> {
  try {
    await insertUse(db, batch, sql``)
  } catch (error) {
    const isKeyGone = error instanceof Error && 'code' in error && error.code === FOREIGN_KEY_VIOLATION
    if (!isKeyGone) throw error
    // As a value, one look-up a row: as a join it would read all keys.
    await insertUse(db, batch, sql`and (select true from api_keys where api_keys.id = counted.id)`)
  }
}

async function insertUse(
  db: Kysely<Database>,
  { writer, number, uses }: UseBatch,
  isThere: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with fresh as (
      insert into api_key_use_writers as known (id, batch, at) values (${writer}, ${number}, now())
      on conflict (id) do update set batch = excluded.batch, at = excluded.at where known.batch < excluded.batch
      returning id
    )
    insert into api_key_outcomes as known (api_key_id, day, outcome, count, last_at)
    select id, (now() at time zone 'UTC')::date, outcome, added, now() - age * interval '1 millisecond'
    from unnest(
      ${arrayOf(uses.map(({ id }) => id))}::uuid[],
      ${arrayOf(uses.map(({ outcome }) => outcome))}::text[],
      ${arrayOf(uses.map(({ count }) => count))}::bigint[],
      ${arrayOf(uses.map(({ ageMs }) => ageMs))}::float8[]
    ) as counted (id, outcome, added, age)
    where exists (select from fresh) ${isThere}
    -- In one order everywhere, so that two processes wait for each other instead of blocking each other.
    order by id, outcome
    on conflict (api_key_id, day, outcome) do update
    set count = known.count + excluded.count, last_at = greatest(known.last_at, excluded.last_at)`.execute(db)
}

/** An array literal of what needs no quotes; pg would look at every element for characters to escape. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
}

/** Forgets a process that has written its last batch, and those that were killed before they could say so. */
export async function forgetWriter(db: Kysely<Database>, writer: string): Promise<void> {
  await sql`delete from api_key_use_writers where id = ${writer} or at < now() - interval '1 day'`.execute(db)
}
