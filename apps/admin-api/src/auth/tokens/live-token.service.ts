import { inTransaction } from '@switchboard/database/in-transaction'
import { TOKEN_REFUSED_ACTION, TOKEN_USE_INTERVAL_MS, tokenActor } from '@switchboard/contract/tokens'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Deps } from '#src/deps.ts'
import { accessTokenHash } from '@switchboard/sign-in/access-token'
import { isInNetworks } from './networks.ts'
import { markRefusal, touchToken, unrevokedToken } from './tokens.queries.ts'

type Request = { address: string; request_id: string }
type LiveToken = NonNullable<Awaited<ReturnType<typeof liveToken>>>

/**
 * The token of a request with the account of its maker, or `null` for a token that is unknown, expired, revoked or used from
 * outside of its networks, and for a token whose maker is no longer an active super admin: a removed person must not keep
 * access through a token. Writes the last use once a minute.
 */
export async function tokenOfRequest(deps: Pick<Deps, 'db' | 'now'>, token: string, request: Request) {
  const token_hash = accessTokenHash(token)
  const found = await liveToken(deps, token_hash)
  if (found === null) return null
  if (!isInNetworks(request.address, found.networks)) {
    await auditForeignNetwork(deps, found, request)
    return null
  }
  const at = deps.now()
  if (found.last_used_at === null || at.getTime() - Date.parse(found.last_used_at) >= TOKEN_USE_INTERVAL_MS)
    await touchToken(deps.db, found.id, at, request.address)
  return { ...found, token_hash }
}

/** The token with this hash, if it is neither expired nor revoked and its maker is an active super admin. */
export async function liveToken({ db, now }: Pick<Deps, 'db' | 'now'>, tokenHash: Buffer) {
  const found = await unrevokedToken(db, tokenHash)
  return found === undefined || Date.parse(found.expires_at) <= now().getTime() ? null : found
}

/** Audits the first refusal of a token in 15 minutes, because each further request could add a row. */
async function auditForeignNetwork(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: LiveToken,
  { address, request_id }: Request,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await markRefusal(trx, token.id, now()))) return
    const actor = { id: token.id, email: tokenActor(token), address, request_id }
    await writeAudit(trx, now(), actor, {
      action: TOKEN_REFUSED_ACTION,
      outcome: 'refused',
      reason: `The address ${address} is in none of the networks of the token.`,
      target: { type: 'token', id: token.id, name: token.name, tenant_id: null },
    })
  })
}
