import { SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Database } from '@switchboard/database/tables'
import { AppError } from '@switchboard/server/http/errors'
import { insertPortalSignIn } from '@switchboard/sign-in/portal-sign-ins.queries'
import { countFailure } from '@switchboard/sign-in/sign-in-metrics'
import { accepted, countedAttempt, NO_USER, refused } from '@switchboard/sign-in/counted-attempt'
import { attemptAt, auditedEmail } from '@switchboard/sign-in/throttle'
import type { Transaction } from 'kysely'
import type { RequestTenant } from '#src/api-keys/request-key.service.ts'
import type { Deps } from '#src/deps.ts'
import { activeUserOfTenant, lockVerifiedUser, signInAddresses, type TenantUser } from './users.queries.ts'

/** Time for which the network of a sign-in stays known. */
const KNOWN_MS = 30 * 24 * 60 * 60 * 1_000

/** The tenant and what names it, and the address and the id of the request. */
export type Caller = RequestTenant & { address: string; request_id: string }
export type Credentials = { email: string; password: string }

type PasswordDeps = Pick<Deps, 'db' | 'now' | 'passwords' | 'signInFailures'>
/** `action` counts refusals of the throttle. `accept` runs in the transaction that ends an accepted attempt. */
type Attempted = Credentials & {
  action: string
  accept: (trx: Transaction<Database>, user: TenantUser) => Promise<void>
}

/**
 * Returns the active user of the caller's tenant with this email address and password. Every other user gets one
 * constant 401 after the same work. Throws 429 after too many failures. Records every refusal as a sign-in to the portal.
 */
export async function verifyPassword(deps: PasswordDeps, caller: Caller, attempted: Attempted): Promise<TenantUser> {
  return await countFailure(deps.signInFailures, 'wrong_password', () => verifyCounted(deps, caller, attempted))
}

async function verifyCounted(
  deps: PasswordDeps,
  { tenant_id, address, request_id }: Caller,
  { email, password, action, accept }: Attempted,
): Promise<TenantUser> {
  const { db, now, passwords } = deps
  const foldedEmail = foldEmail(email)
  const actor = { id: null, email: auditedEmail(email), address, request_id }
  const since = new Date(now().getTime() - KNOWN_MS)
  return await countedAttempt(deps, tenant_id, {
    begin: async () => ({
      attempt: attemptAt(foldedEmail, address, tenant_id),
      actor,
      action,
      knownAddresses: (trx) => signInAddresses(trx, { tenantId: tenant_id, foldedEmail, since }),
    }),
    verify: async () => {
      const user = await activeUserOfTenant(db, tenant_id, foldedEmail)
      return { user, matches: await passwords.verify(user?.password_hash ?? null, password) }
    },
    decide: async (trx, { user, matches }) => {
      const isUnchanged = await lockVerifiedUser(trx, tenant_id, user ?? NO_USER)
      if (user === undefined || !matches || !isUnchanged) return refused(new AppError(401, SIGN_IN_REFUSED))
      return accepted(user)
    },
    refuse: async (trx, { user }, reason) => {
      const refusal = { outcome: 'refused' as const, reason, email: actor.email, address, request_id }
      await insertPortalSignIn(trx, { ...refusal, tenant_id, user_id: user?.id ?? null, at: now() })
    },
    accept: async (trx, user) => {
      await accept(trx, user)
      return user
    },
  })
}
