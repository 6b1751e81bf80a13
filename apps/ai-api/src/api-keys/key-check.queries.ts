import type { KeyEnvironment } from '@switchboard/contract/api-keys/key-environment'
import type { KeyOutcome } from '@switchboard/contract/api-keys/key-outcomes'
import type { KeyDetails } from '@switchboard/contract/api-keys/key-verification'
import { ReadOnlyError } from '@switchboard/database/connection/pool'
import { prepared } from '@switchboard/database/connection/prepared'
import type { Database } from '@switchboard/database/tables'
import { CompiledQuery, type Kysely, sql } from 'kysely'

/**
 * Everything that a check of a key needs. `refusal` is the first reason to refuse the key from any origin, by the
 * database's clock at load time; `null` when there is none.
 */
export type KeyRecord = {
  /** SHA-256 of the secret, in hex. */
  hash: string
  api_key_id: string
  tenant_id: string
  environment: KeyEnvironment
  refusal: Exclude<KeyOutcome, 'valid' | 'origin_refused'> | null
  expires_at: string | null
  grace_ends_at: string | null
  allowed_origins: string[]
}

const KEYS_BY_HASH = prepared(`
  select is_standby, encode(key_hash, 'hex') as hash, id as api_key_id, tenant_id, environment,
    case
      when revoked_at is not null then 'revoked'
      when (select status from tenants where tenants.id = tenant_id) <> 'active' then 'tenant_inactive'
      when not is_active then 'disabled'
      when expires_at <= clock_timestamp() then 'expired'
    end as refusal,
    expires_at, grace_ends_at, to_json(allowed_origins) as allowed_origins
  from (select pg_is_in_recovery() as is_standby) as server
  left join api_keys on key_hash = any($1::bytea[])`)

/** A row without a key still names the answering server. */
type KeyRow = { is_standby: boolean } & (KeyRecord | { [Field in keyof KeyRecord]: null })

/**
 * Existing keys by their hash (SHA-256 in hex), and whether a standby has answered. The order of the refusals is fixed: the
 * first reason wins. node-postgres parses an array six times as slowly as JSON.
 */
export async function keysByHash(db: Kysely<Database>, hashes: readonly string[]) {
  const parameter = arrayLiteral(hashes.map((hash) => `"\\\\x${hash}"`))
  const { rows } = await db.executeQuery<KeyRow>(CompiledQuery.raw(KEYS_BY_HASH, [parameter]))
  const keys = new Map<string, KeyRecord>()
  for (const { is_standby: _, ...key } of rows) if (key.hash !== null) keys.set(key.hash, key)
  return { keys, isStandby: rows[0]?.is_standby === true }
}

/** What a service token learns about a key. Undefined for a deleted key. Throws a ReadOnlyError on a standby. */
export async function detailsOfKey(db: Kysely<Database>, id: string): Promise<KeyDetails | undefined> {
  const found = await db
    .selectFrom('api_keys')
    .innerJoin('tenants', 'tenants.id', 'tenant_id')
    .select(['api_keys.name as key_name', 'environment', 'expires_at'])
    .select(['tenants.id as tenant_id', 'tenants.name as tenant_name', 'status', 'tags', 'custom_fields'])
    .select(sql<boolean>`pg_is_in_recovery()`.as('is_standby'))
    .where('api_keys.id', '=', id)
    .executeTakeFirst()
  if (found === undefined) return undefined
  if (found.is_standby) throw new ReadOnlyError()
  const { key_name, environment, expires_at, tenant_id, tenant_name, status, tags, custom_fields } = found
  return {
    tenant: { id: tenant_id, name: tenant_name, status, tags, custom_fields },
    key: { id, name: key_name, environment, expires_at },
  }
}

/** A PostgreSQL array literal of values that need no quotes. node-postgres would scan every element for escapes. */
function arrayLiteral(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
}
