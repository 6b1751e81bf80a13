import { inTransaction } from '@switchboard/database/in-transaction'
import { SIGN_IN_REFUSED } from '@switchboard/contract/auth'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { AuditActor } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { AppError } from '@switchboard/server/http/errors'
import { insertPortalSignIn } from '@switchboard/sign-in/portal-sign-ins.queries'
import { countFailure } from '@switchboard/sign-in/sign-in-metrics'
import { runInTurn } from '@switchboard/sign-in/sign-in-queue'
import {
  attemptAt,
  auditedEmail,
  endThrottleWindows,
  reserveAttempt,
  type ReservedAttempt,
} from '@switchboard/sign-in/throttle'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { activeUserOfTenant, lockVerifiedUser, signInAddresses, type TenantUser } from './users.queries.ts'

/** Locked for an unknown user, so that known and unknown users take the same time. */
const NO_USER = { id: '00000000-0000-0000-0000-000000000000', password_hash: '' }
/** Time for which the network of a sign-in stays known. */
const KNOWN_MS = 30 * 24 * 60 * 60 * 1_000

/** The accepted API key, and the address and the id of the request. */
export type Caller = { tenant_id: string; api_key_id: string; address: string; request_id: string }
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

async function verifyCounted(deps: PasswordDeps, caller: Caller, attempted: Attempted): Promise<TenantUser> {
  const { tenant_id, address } = caller
  const foldedEmail = foldEmail(attempted.email)
  const actor = { id: null, email: auditedEmail(attempted.email), address, request_id: caller.request_id }
  const since = new Date(deps.now().getTime() - KNOWN_MS)
  const user = await runInTurn(tenant_id, {
    count: () =>
      reserveAttempt(deps, attemptAt(foldedEmail, address, tenant_id), {
        actor,
        action: attempted.action,
        knownAddresses: (trx) => signInAddresses(trx, { tenantId: tenant_id, foldedEmail, since }),
      }),
    verify: (reserved) => verifyReserved(deps, { ...attempted, tenant_id, actor, foldedEmail, reserved }),
  })
  if (user === null) throw new AppError(401, SIGN_IN_REFUSED)
  return user
}

type Reserved = Attempted & { tenant_id: string; actor: AuditActor; foldedEmail: string; reserved: ReservedAttempt }

/** Returns the user, or `null` for a refused attempt, which is recorded. */
async function verifyReserved(
  { db, now, passwords }: PasswordDeps,
  { accept, password, tenant_id, actor, foldedEmail, reserved }: Reserved,
): Promise<TenantUser | null> {
  const user = await activeUserOfTenant(db, tenant_id, foldedEmail)
  const matches = await passwords.verify(user?.password_hash ?? null, password)
  const verified = await inTransaction(db, async (trx) => {
    // Read the user again under a lock: a new password, deactivation or deletion during password hashing wins.
    const isUnchanged = await lockVerifiedUser(trx, tenant_id, user ?? NO_USER)
    if (user === undefined || !matches || !isUnchanged) {
      const { email, address, request_id } = actor
      const refused = { outcome: 'refused' as const, reason: SIGN_IN_REFUSED, email, address, request_id }
      await insertPortalSignIn(trx, { ...refused, tenant_id, user_id: user?.id ?? null, at: now() })
      return null
    }
    await forgiveAttempts(trx, reserved)
    await accept(trx, user)
    return user
  })
  await endThrottleWindows({ db, now })
  return verified
}
