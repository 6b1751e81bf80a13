import { inTransaction } from '@switchboard/database/in-transaction'
import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import * as contract from '@switchboard/contract/auth'
import { logout } from '@switchboard/contract/auth/session'
import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { type AuditActor, writeAudit } from '@switchboard/database/audit/audit.queries'
import { AppError } from '@switchboard/server/http/errors'
import { SECOND_FACTOR_NEEDED } from '@switchboard/contract/auth/challenge'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { Deps } from '#src/deps.ts'
import { askSecondFactor } from '#src/auth/second-factors/challenges.service.ts'
import type { Site } from '#src/auth/second-factors/passkeys.service.ts'
import { expireSession } from '#src/auth/sessions/sessions.queries.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { signInDetails } from '#src/auth/sign-ins/sign-ins.service.ts'
import { runInTurn } from '@switchboard/sign-in/sign-in-queue'
import { type Caller, openSession } from './open-session.ts'
import { mayUsePassword } from './may-use-password.ts'
import { addressesOfAccount, lockVerifiedUser, updateUserRow, userByEmail } from './sign-in.queries.ts'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import {
  attemptAt,
  auditedEmail,
  endThrottleWindows,
  reserveAttempt,
  type ReservedAttempt,
} from '@switchboard/sign-in/throttle'

const ACTION = contract.login.schema.operationId
/** Locked for an unknown account, so that known and unknown accounts take the same time. */
const NO_USER = { id: '00000000-0000-0000-0000-000000000000', password_hash: '' }

type Credentials = { email: string; password: string }

/** Where a sign-in comes from, and the console's site for passkeys. */
export type SignInCaller = Caller & { site: Site }

/**
 * Signs in a person who runs the console. A wrong email, a wrong password, an inactive user and an ordinary user all get the
 * same 401 after the same work. The right password of an account with a second factor gets a 401 with a challenge. Throws
 * 429 after too many failures. Audits every outcome.
 */
export async function signIn(deps: Deps, caller: SignInCaller, { email, password }: Credentials) {
  const foldedEmail = foldEmail(email)
  const attempt = attemptAt(foldedEmail, caller.address)
  const actor = { id: null, email: auditedEmail(email), address: caller.address, request_id: caller.request_id }
  const session = await runInTurn(attempt.address, {
    count: () =>
      reserveAttempt(deps, attempt, {
        actor,
        action: ACTION,
        knownAddresses: (trx) => addressesOfAccount(trx, foldedEmail),
      }),
    verify: (reserved) => verifyAndStart(deps, caller, { actor, foldedEmail, password, reserved }),
  })
  if (session === null) throw new AppError(401, contract.SIGN_IN_REFUSED)
  if (session === PASSWORD_SIGN_IN_OFF) throw new AppError(403, PASSWORD_SIGN_IN_OFF)
  if ('methods' in session) throw new AppError(401, SECOND_FACTOR_NEEDED, { extra: { challenge: session } })
  return session
}

/**
 * Returns the new session, the challenge of the second factor, `null` for a refused sign-in, or the refusal of a right
 * password. Audits each.
 */
async function verifyAndStart(
  deps: Deps,
  caller: SignInCaller,
  {
    actor,
    foldedEmail,
    password,
    reserved,
  }: { actor: AuditActor; foldedEmail: string; password: string; reserved: ReservedAttempt },
) {
  const { db, now, passwords } = deps
  const admin = await userByEmail(db, foldedEmail)
  const matches = await passwords.verify(admin?.password_hash ?? null, password)
  const isOutdated = admin !== undefined && matches && passwords.isOutdated(admin.password_hash)
  const newHash = isOutdated ? await passwords.hash(password) : null
  const session = await inTransaction(db, async (trx) => {
    // Read the account again under a lock: a reset or deactivation during password hashing wins.
    const isUnchanged = await lockVerifiedUser(trx, admin ?? NO_USER)
    const role = admin?.role
    if (admin === undefined || role === undefined || !isConsoleRole(role) || !matches || !isUnchanged) {
      await writeAudit(trx, now(), actor, {
        action: ACTION,
        outcome: 'refused',
        reason: contract.SIGN_IN_REFUSED,
        changes: signInDetails(caller.user_agent, 'password'),
      })
      return null
    }
    if (newHash !== null) await updateUserRow(trx, admin.id, { password_hash: newHash })
    const changes = signInDetails(caller.user_agent, 'password')
    if (!mayUsePassword(deps, admin)) {
      await writeAudit(trx, now(), actor, { action: ACTION, outcome: 'refused', reason: PASSWORD_SIGN_IN_OFF, changes })
      return PASSWORD_SIGN_IN_OFF
    }
    const asked = { user_id: admin.id, attempt_id: reserved.id, ...caller }
    const challenge = await askSecondFactor(deps, trx, 'sign_in', asked)
    if (challenge !== null) {
      await writeAudit(trx, now(), actor, { action: ACTION, outcome: 'refused', reason: SECOND_FACTOR_NEEDED, changes })
      return challenge
    }
    // A sign-in with a second factor is forgiven when it is complete.
    await forgiveAttempts(trx, reserved)
    return await openSession(deps, trx, caller, { ...admin, role })
  })
  await endThrottleWindows(deps)
  return session
}

/** Ends the session on the server and invalidates its token. */
export async function signOut({ db, now }: Deps, actor: SignedInActor): Promise<void> {
  await inTransaction(db, async (trx) => {
    await expireSession(trx, actor.session_id, now())
    await writeAudit(trx, now(), actor, { action: logout.schema.operationId })
  })
}
