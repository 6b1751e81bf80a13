import { TOKEN_REFUSED_ACTION, TOKEN_USE_INTERVAL_MS, tokenActor } from '@switchboard/contract/tokens'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { isInNetworks } from '@switchboard/server/outbound/networks'
import { markRefusal, touchToken, unrevokedToken } from './service-tokens.queries.ts'

type Deps = { db: Kysely<Database>; now: () => Date }
type Request = { address: string; request_id: string }

/** A service token whose calls are accepted, with its maker. */
export type LiveToken = NonNullable<Awaited<ReturnType<typeof unrevokedToken>>>

/** The token with this hash, if it is neither expired nor revoked and its maker is an active super admin. */
export async function liveToken({ db, now }: Deps, tokenHash: Buffer): Promise<LiveToken | null> {
  const found = await unrevokedToken(db, tokenHash)
  return found === undefined || isExpired(found, now()) ? null : found
}

/** Whether a token has ended by itself. */
export function isExpired({ expires_at }: Pick<LiveToken, 'expires_at'>, at: Date): boolean {
  return Date.parse(expires_at) <= at.getTime()
}

/**
 * Whether the address of a request is in the networks of the token. Writes the last use once a minute, and audits a
 * refused address.
 */
export async function mayUseToken(deps: Deps, token: LiveToken, request: Request): Promise<boolean> {
  if (!isInNetworks(request.address, token.networks)) {
    await auditForeignNetwork(deps, token, request)
    return false
  }
  const at = deps.now()
  if (token.last_used_at === null || at.getTime() - Date.parse(token.last_used_at) >= TOKEN_USE_INTERVAL_MS) {
    // A cached token is not written again.
    token.last_used_at = at.toISOString()
    await touchToken(deps.db, token.id, at, request.address)
  }
  return true
}

/** Audits the first refusal of a token in 15 minutes, because each further request could add a row. */
async function auditForeignNetwork(
  { db, now }: Deps,
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
