import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { LinkKind } from '@switchboard/contract/links'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'

export type NewLink = Pick<
  Insertable<Database['links']>,
  | 'kind'
  | 'email'
  | 'role'
  | 'invited_by'
  | 'invited_by_id'
  | 'user_id'
  | 'portal_url'
  | 'token_hash'
  | 'created_at'
  | 'expires_at'
  | 'mail_state'
>

/** Inserts a link and returns its id. A new invitation replaces an older one to the same address. */
export async function insertLink(trx: Transaction<Database>, link: NewLink): Promise<string> {
  const { id } = await trx
    .insertInto('links')
    .values({ ...link, folded_email: foldEmail(link.email) })
    .onConflict((conflict) =>
      conflict
        .column('folded_email')
        .where('kind', '=', sql.lit('invitation'))
        .doUpdateSet((row) => ({
          id: row.ref('excluded.id'),
          email: row.ref('excluded.email'),
          role: row.ref('excluded.role'),
          invited_by: row.ref('excluded.invited_by'),
          invited_by_id: row.ref('excluded.invited_by_id'),
          token_hash: row.ref('excluded.token_hash'),
          created_at: row.ref('excluded.created_at'),
          expires_at: row.ref('excluded.expires_at'),
          mail_state: row.ref('excluded.mail_state'),
          mail_attempts: 0,
          mail_problem: null,
        })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The link with this hash, if it has not expired and the person who asked for it may still do so. `account` is the address
 * of its account, if it has one.
 */
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
    .where(isInviterAllowed)
    .executeTakeFirst()
}

/** Like `linkByHash`, but deletes the link, so only one of several concurrent calls gets it. */
export async function deleteLinkByHash(trx: Transaction<Database>, kind: LinkKind, tokenHash: Buffer, now: Date) {
  return await trx
    .deleteFrom('links')
    .where('kind', '=', kind)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .where(isInviterAllowed)
    .returning(['email', 'role', 'user_id'])
    .executeTakeFirst()
}

/** Only active super admins may send invitations, and request new addresses for other people. */
const isInviterAllowed = sql<boolean>`(kind = 'password_reset' or invited_by_id = user_id or exists (
  select from users where users.id = invited_by_id and users.role = 'super_admin' and users.is_active
))`
