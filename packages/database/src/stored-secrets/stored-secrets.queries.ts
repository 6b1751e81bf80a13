import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { KEY_ID_BYTES, MARK } from './encryption.ts'

/** A secret in a column of a row, or in the moved row of a deleted account. */
export type StoredSecret = {
  table: 'second_factors' | 'sign_in_challenges' | 'webhooks' | 'log_sinks' | 'deletions'
  column: 'totp_secret' | 'secret' | 'old_secret'
  id: string
  /** The account, the webhook or the log sink. */
  owner_id: string
  /** For people: the email address of the account, the address of the webhook, or the name of the log sink. */
  owner: string
  secret: Buffer
}

/**
 * All secrets: those of authenticator apps, added, about to be added or of deleted accounts, and those of webhooks and log
 * sinks.
 */
export async function storedSecrets(db: Kysely<Database>): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select stored.*, email as owner from (
      select 'second_factors' as table, 'totp_secret' as column, id, user_id as owner_id, totp_secret as secret
      from second_factors
      union all select 'sign_in_challenges', 'totp_secret', id, user_id, totp_secret from sign_in_challenges
    ) as stored join users on users.id = owner_id where secret is not null
    union all
    select 'deletions', 'totp_secret', (moved.record ->> 'id')::uuid, (moved.record ->> 'user_id')::uuid,
      (moved.record ->> 'totp_secret')::bytea, root.record ->> 'email'
    from deletions as moved join deletions as root on root.root_id = moved.root_id and root.is_root
    where moved.table_name = 'second_factors' and moved.record ->> 'totp_secret' is not null
    union all
    select 'webhooks', column_name, id, id, value, url
    from webhooks cross join lateral (values ('secret', secret), ('old_secret', old_secret)) as named (column_name, value)
    where value is not null
    union all
    select 'log_sinks', 'secret', id, id, secret, name from log_sinks where secret is not null
    order by owner, id, "column"`.execute(db)
  return rows
}

/** Replaces a secret. False when the row has changed or gone since it was read. */
export async function replaceSecret(db: Kysely<Database>, read: StoredSecret, secret: Buffer): Promise<boolean> {
  const { id, table, column } = read
  const { numAffectedRows = 0n } =
    table === 'deletions'
      ? await sql`
          update deletions set record = jsonb_set(record, '{totp_secret}', to_jsonb(${secret}::bytea))
          where table_name = 'second_factors' and record ->> 'id' = ${id}
            and (record ->> 'totp_secret')::bytea = ${read.secret}`.execute(db)
      : await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = ${secret}
          where id = ${id} and ${sql.ref(column)} = ${read.secret}`.execute(db)
  return numAffectedRows > 0n
}

/** The secrets of authenticator apps, webhooks and log sinks. Those about to be added are read once, a few minutes later at most. */
const lastingSecrets = sql`(
  select totp_secret as secret from second_factors where totp_secret is not null
  union all select secret from webhooks
  union all select old_secret from webhooks where old_secret is not null
  union all select secret from log_sinks where secret is not null
) as lasting`

/** The ids of the keys that encrypt lasting secrets, as hexadecimal digits, with the number of secrets of each. */
export async function usedKeys(db: Kysely<Database>): Promise<{ key_id: string; secrets: number }[]> {
  const { rows } = await sql<{ key_id: string; secrets: number }>`
    select encode(substring(secret from ${sql.lit(MARK.length + 1)} for ${sql.lit(KEY_ID_BYTES)}), 'hex') as key_id,
      count(*) as secrets
    from ${lastingSecrets} where substring(secret from 1 for ${sql.lit(MARK.length)}) = ${MARK}
    group by 1 order by 1`.execute(db)
  return rows
}

/** The number of lasting secrets that are not encrypted. */
export async function countPlain(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from ${lastingSecrets} where substring(secret from 1 for ${sql.lit(MARK.length)}) <> ${MARK}`.execute(db)
  return rows[0]?.count ?? 0
}
