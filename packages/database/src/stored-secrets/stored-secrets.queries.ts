import { type Kysely, sql } from 'kysely'
import type { Database } from '#src/tables.ts'
import { KEY_ID_BYTES, MARK } from './encryption.ts'

/** A secret of an account, in its row, or in the moved row of a deleted account. */
export type StoredSecret = {
  table: 'second_factors' | 'sign_in_challenges' | 'deletions'
  id: string
  user_id: string
  email: string
  totp_secret: Buffer
}

/** All secrets of authenticator apps: added ones, those about to be added, and those of deleted accounts. */
export async function storedSecrets(db: Kysely<Database>): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select stored.*, email from (
      select 'second_factors' as table, id, user_id, totp_secret from second_factors
      union all select 'sign_in_challenges', id, user_id, totp_secret from sign_in_challenges
    ) as stored join users on users.id = user_id where totp_secret is not null
    union all
    select 'deletions', (moved.record ->> 'id')::uuid, (moved.record ->> 'user_id')::uuid,
      (moved.record ->> 'totp_secret')::bytea, root.record ->> 'email'
    from deletions as moved join deletions as root on root.root_id = moved.root_id and root.is_root
    where moved.table_name = 'second_factors' and moved.record ->> 'totp_secret' is not null
    order by email, id`.execute(db)
  return rows
}

/** Replaces a secret. False when the row has changed or gone since it was read. */
export async function replaceSecret(db: Kysely<Database>, read: StoredSecret, totp_secret: Buffer): Promise<boolean> {
  const { id, table } = read
  const { numAffectedRows = 0n } =
    table === 'deletions'
      ? await sql`
          update deletions set record = jsonb_set(record, '{totp_secret}', to_jsonb(${totp_secret}::bytea))
          where table_name = 'second_factors' and record ->> 'id' = ${id}
            and (record ->> 'totp_secret')::bytea = ${read.totp_secret}`.execute(db)
      : await sql`
          update ${sql.table(table)} set totp_secret = ${totp_secret}
          where id = ${id} and totp_secret = ${read.totp_secret}`.execute(db)
  return numAffectedRows > 0n
}

/** The ids of the keys that encrypt authenticator apps, as hexadecimal digits, with the number of apps of each. */
export async function usedKeys(db: Kysely<Database>): Promise<{ key_id: string; secrets: number }[]> {
  const { rows } = await sql<{ key_id: string; secrets: number }>`
    select encode(substring(totp_secret from ${sql.lit(MARK.length + 1)} for ${sql.lit(KEY_ID_BYTES)}), 'hex') as key_id,
      count(*) as secrets
    from second_factors where substring(totp_secret from 1 for ${sql.lit(MARK.length)}) = ${MARK}
    group by 1 order by 1`.execute(db)
  return rows
}

/** The number of authenticator apps whose secrets are not encrypted. */
export async function countPlain(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from second_factors
    where totp_secret is not null and substring(totp_secret from 1 for ${sql.lit(MARK.length)}) <> ${MARK}`.execute(db)
  return rows[0]?.count ?? 0
}
