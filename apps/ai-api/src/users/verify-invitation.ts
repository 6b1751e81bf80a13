import { LINK_REFUSED } from '@switchboard/contract/links'
import { AppError } from '@switchboard/server/http/errors'
import { accepted, countedAttempt, refused } from '@switchboard/sign-in/counted-attempt'
import { insertPortalSignIn } from '@switchboard/sign-in/portal-sign-ins.queries'
import { countFailure } from '@switchboard/sign-in/sign-in-metrics'
import { attemptAt } from '@switchboard/sign-in/throttle'
import type { Deps } from '#src/deps.ts'
import { invitedUser, type TenantUser } from './users.queries.ts'
import type { Caller } from './verify-password.ts'

/**
 * Returns the active user of the caller's tenant whose invitation has this hash. Every other token gets one constant 401. Throws
 * 429 after too many failures. Records every refusal as a sign-in to the portal.
 */
export async function verifyInvitation(
  deps: Pick<Deps, 'db' | 'now' | 'signInFailures'>,
  { tenant_id, address, request_id }: Caller,
  { tokenHash, action }: { tokenHash: Buffer; action: string },
): Promise<TenantUser> {
  const { db, now } = deps
  const actor = { id: null, email: null, address, request_id }
  const attempt = attemptAt(`invitation ${tokenHash.toString('hex')}`, address, tenant_id)
  // Nobody knows the account of a token, so the failures of the network count.
  const knownAddresses = async () => []
  const verify = () =>
    countedAttempt(deps, tenant_id, {
      begin: async () => ({ attempt, actor, action, knownAddresses }),
      verify: () => invitedUser(db, tenant_id, tokenHash, now()),
      decide: async (_, user) => (user === undefined ? refused(new AppError(401, LINK_REFUSED)) : accepted(user)),
      refuse: (trx, _, reason) => {
        const refusal = { outcome: 'refused' as const, reason, address, request_id }
        return insertPortalSignIn(trx, { ...refusal, tenant_id, user_id: null, email: null, at: now() })
      },
      accept: async (_, user) => user,
    })
  return await countFailure(deps.signInFailures, 'wrong_password', verify)
}
