import type { PasswordHint } from '@switchboard/contract/auth/passwords'
import { LINK_LIFETIME_MS, LINK_REFUSED, type LinkKind } from '@switchboard/contract/links'
import type { Database } from '@switchboard/database/tables'
import { linkTokenHash, newLink } from '@switchboard/mail/links'
import { AppError } from '@switchboard/server/http/errors'
import { judgePassword } from '@switchboard/sign-in/new-password'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { deleteLinkByHash, insertLink, linkByHash, type NewLink } from './links.queries.ts'

type Recipient = Pick<NewLink, 'kind' | 'email' | 'role' | 'invited_by' | 'invited_by_id' | 'user_id' | 'portal_url'>

/**
 * Makes a link. A new invitation ends an older one to the same address. With mail, the worker makes the token and
 * sends it; `url` is then null. Without mail, `url` is the link at `origin`, the console or a portal, and is stored nowhere.
 */
export async function issueLink(
  { now, randomBytes, mailer, mails }: Pick<Deps, 'now' | 'randomBytes' | 'mailer' | 'mails'>,
  trx: Transaction<Database>,
  recipient: Recipient,
  origin: string,
): Promise<{ id: string; url: string | null }> {
  const at = now()
  const times = { created_at: at, expires_at: new Date(at.getTime() + LINK_LIFETIME_MS[recipient.kind]) }
  if (mailer !== null) {
    const id = await insertLink(trx, { ...recipient, ...times, token_hash: null, mail_state: 'queued' })
    await mails.enqueue(trx, { link_id: id })
    return { id, url: null }
  }
  const { url, token_hash } = newLink({ randomBytes }, recipient.kind, origin)
  return { id: await insertLink(trx, { ...recipient, ...times, token_hash, mail_state: null }), url }
}

/** The link of a token, which stays valid. Throws 404 with `LINK_REFUSED`. */
export async function linkOfToken({ db, now }: Pick<Deps, 'db' | 'now'>, kind: LinkKind, token: string) {
  const link = await linkByHash(db, kind, linkTokenHash(token), now())
  if (link === undefined) throw linkRefused()
  return link
}

/** Judges a password for the account of a link, which stays valid. Throws 404 with `LINK_REFUSED`. */
export async function judgeLinkPassword(
  deps: Pick<Deps, 'db' | 'now' | 'consoleSettings'>,
  { kind, token, password }: { kind: LinkKind; token: string; password: string },
): Promise<PasswordHint> {
  const { email } = await linkOfToken(deps, kind, token)
  return await judgePassword(deps, password, { owner: 'console', names: [email] })
}

/** Uses up the link of a token, in the transaction of its effect. Throws 404 with `LINK_REFUSED`, as for a used link. */
export async function takeLink({ now }: Pick<Deps, 'now'>, trx: Transaction<Database>, kind: LinkKind, token: string) {
  const link = await deleteLinkByHash(trx, kind, linkTokenHash(token), now())
  if (link === undefined) throw linkRefused()
  return link
}

/** The same refusal for every reason. */
export function linkRefused(): AppError {
  return new AppError(404, LINK_REFUSED)
}

/** Origin of the console in a link to copy: `PUBLIC_URL`, or the address of the request. */
export function consoleOrigin(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { protocol, host }: { protocol: string; host: string },
): string {
  return publicUrl ?? `${protocol}://${host}`
}
