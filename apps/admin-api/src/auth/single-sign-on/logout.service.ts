import { inTransaction } from '@switchboard/database/in-transaction'
import { backChannelLogout, SINGLE_SIGN_ON_ACTOR } from '@switchboard/contract/single-sign-on'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { AppError, badRequest } from '@switchboard/server/http/errors'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import type { Caller } from '#src/auth/open-session.ts'
import type { Deps } from '#src/deps.ts'
import type { LogoutClaims } from './claims.ts'
import { deleteCodesOf, expireSessionsOf } from './identities.queries.ts'
import type { SingleSignOn } from './single-sign-on.client.ts'
import { insertLogoutToken } from './single-sign-on.queries.ts'

/** How long a logout token is remembered: longer than it is accepted. */
const REMEMBERED_MS = 15 * 60_000

/**
 * Ends the sessions named by a logout token (OpenID Connect Back-Channel Logout 1.0). Throws 400 for an invalid token or a token
 * received before, and 404 without an identity provider.
 */
export async function endSingleSignOn(
  { db, now, log, singleSignOn }: Pick<Deps, 'db' | 'now' | 'log' | 'singleSignOn'>,
  { address, request_id }: Caller,
  token: string,
): Promise<void> {
  if (singleSignOn === null) throw new AppError(404, 'Single sign-on is not configured.')
  const at = now()
  const claims = await verified(singleSignOn, token)
  await inTransaction(db, async (trx) => {
    const jti_hash = accessTokenHash(`${claims.iss} ${claims.jti}`)
    const isNew = await insertLogoutToken(trx, { jti_hash, expires_at: new Date(at.getTime() + REMEMBERED_MS) })
    if (!isNew) throw badRequest('This logout token was received before.')
    const ended = { issuer: claims.iss, subject: claims.sub, sid: claims.sid }
    await deleteCodesOf(trx, ended)
    const accounts = new Map((await expireSessionsOf(trx, ended, at)).map((account) => [account.id, account]))
    const actor = { id: null, email: SINGLE_SIGN_ON_ACTOR, address, request_id }
    const entries = [...accounts.values()].map(({ id, email }) => ({
      action: backChannelLogout.schema.operationId,
      target: { type: 'user' as const, id, name: email, tenant_id: null },
    }))
    await writeAudits(trx, at, actor, entries)
  })

  async function verified(client: SingleSignOn, text: string): Promise<LogoutClaims> {
    try {
      return await client.verifyLogoutToken(text, at)
    } catch (error) {
      // Not audited: anyone can send such tokens.
      log.warn({ err: error, req_id: request_id }, 'a logout token was refused')
      throw badRequest('The logout token is not valid.')
    }
  }
}
