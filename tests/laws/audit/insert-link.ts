import type { LinkKind } from '@switchboard/contract/links'
import { linkTokenHash } from '@switchboard/mail/links'
import type { World } from './audited-call.ts'

type Link = { kind: LinkKind; email: string; token: string; role?: 'support'; user_id?: string }

/** A link that a mail has brought. Returns its id. */
export async function insertLink({ api, db, actor }: World, { token, role, user_id, ...link }: Link): Promise<string> {
  const isAsked = link.kind === 'password_reset'
  const { id } = await db
    .insertInto('links')
    .values({
      ...link,
      role: role ?? null,
      user_id: user_id ?? null,
      folded_email: link.email,
      invited_by: isAsked ? null : actor.admin.email,
      invited_by_id: isAsked ? null : actor.admin.id,
      created_at: api.clock.at,
      expires_at: new Date(api.clock.at.getTime() + 3_600_000),
      token_hash: linkTokenHash(token),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
