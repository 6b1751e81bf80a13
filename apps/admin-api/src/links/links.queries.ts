import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { LinkKind } from '@switchboard/contract/links'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

export type NewLink = Pick<
  Insertable<Database['links']>,
  'kind' | 'email' | 'role' | 'invited_by' | 'user_id' | 'token_hash' | 'created_at' | 'expires_at' | 'mail_state'
>

/**
 * Inserts a link with a new id. It replaces an older link of the same kind to the same address, unless it confirms an
 * address: an account has one such link. Returns the id.
 */
export async function replaceLink(trx: Transaction<Database>, link: NewLink): Promise<string> {
  const { id } = await trx
    .insertInto('links')
    .values({ ...link, folded_email: foldEmail(link.email) })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'folded_email'])
        .where(sql<boolean>`kind <> 'email_change'`)
        .doUpdateSet((row) => ({
          id: row.ref('excluded.id'),
          email: row.ref('excluded.email'),
          role: row.ref('excluded.role'),
          invited_by: row.ref('excluded.invited_by'),
          token_hash: row.ref('excluded.token_hash'),
          created_at: row.ref('excluded.created_at'),
          expires_at: row.ref('excluded.expires_at'),
          mail_state: row.ref('excluded.mail_state'),
          user_id: null,
          mail_attempts: 0,
          mail_problem: null,
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The unexpired link with this hash, and the address of its account, if any. */
export async function linkByHash(db: Kysely<Database>, kind: LinkKind, tokenHash: Buffer, now: Date) {
  return await db
    .selectFrom('links')
    .select(['email', 'role'])
    .select((row) =>
      row.selectFrom('users').select('users.email').whereRef('users.id', '=', 'links.user_id').as('account'),
    )
    .where('kind', '=', kind)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
}

/** Deletes the unexpired link with this hash and returns its fields. One of several concurrent calls gets the link. */
export async function deleteLinkByHash(trx: Transaction<Database>, kind: LinkKind, tokenHash: Buffer, now: Date) {
  return await trx
    .deleteFrom('links')
    .where('kind', '=', kind)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .returning(['email', 'role', 'user_id'])
    .executeTakeFirst()
}
