import { inTransaction } from '@switchboard/database/in-transaction'
import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import * as contract from '@switchboard/contract/auth'
import { logout } from '@switchboard/contract/auth/session'
import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { AppError } from '@switchboard/server/http/errors'
import { SECOND_FACTOR_NEEDED } from '@switchboard/contract/auth/challenge'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { accepted, countedAttempt, NO_USER, refused } from '@switchboard/sign-in/counted-attempt'
import { attemptAt, auditedEmail } from '@switchboard/sign-in/throttle'
import type { Deps } from '#src/deps.ts'
import { askSecondFactor } from '#src/auth/second-factors/challenges.service.ts'
import type { Site } from '#src/auth/second-factors/passkeys.service.ts'
import { expireSession } from '#src/auth/sessions/sessions.queries.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { signInDetails } from '#src/auth/sign-ins/sign-ins.service.ts'
import { updateUserRow, userByEmail } from '#src/users/users.queries.ts'
import { type Caller, openSession } from './open-session.ts'
import { mayUsePassword } from './may-use-password.ts'
import { addressesOfAccount, lockVerifiedUser } from './sign-in.queries.ts'

const ACTION = contract.login.schema.operationId

type Credentials = { email: string; password: string }

/** Where a sign-in comes from, and the console's site for passkeys. */
export type SignInCaller = Caller & { site: Site }

/**
 * Signs in a person who runs the console. A wrong email, a wrong password, an inactive user and an ordinary user all get the
 * same 401 after the same work. The right password of an account with a second factor gets a 401 with a challenge, and stays
 * counted until the challenge is answered. Throws 429 after too many failures. Audits every outcome.
 */
export async function signIn(deps: Deps, caller: SignInCaller, { email, password }: Credentials) {
  const { db, now, passwords } = deps
  const foldedEmail = foldEmail(email)
  const attempt = attemptAt(foldedEmail, caller.address)
  const actor = { id: null, email: auditedEmail(email), address: caller.address, request_id: caller.request_id }
  return await countedAttempt(deps, attempt.address, {
    begin: async () => ({
      attempt,
      actor,
      action: ACTION,
      knownAddresses: (trx) => addressesOfAccount(trx, foldedEmail),
    }),
    verify: async () => {
      const admin = await userByEmail(db, foldedEmail)
      const matches = await passwords.verify(admin?.password_hash ?? null, password)
      const isOutdated = admin !== undefined && matches && passwords.isOutdated(admin.password_hash)
      return { admin, matches, newHash: isOutdated ? await passwords.hash(password) : null }
    },
    decide: async (trx, { admin, matches, newHash }, reserved) => {
      const isUnchanged = await lockVerifiedUser(trx, admin ?? NO_USER)
      const role = admin?.role
      if (admin === undefined || role === undefined || !isConsoleRole(role) || !matches || !isUnchanged)
        return refused(new AppError(401, contract.SIGN_IN_REFUSED))
      if (newHash !== null) await updateUserRow(trx, admin.id, { password_hash: newHash })
      if (!mayUsePassword(deps, admin)) return refused(new AppError(403, PASSWORD_SIGN_IN_OFF))
      const asked = { user_id: admin.id, attempt_id: reserved.id, ...caller }
      const challenge = await askSecondFactor(deps, trx, 'sign_in', asked)
      if (challenge !== null) return refused(new AppError(401, SECOND_FACTOR_NEEDED, { extra: { challenge } }))
      return accepted({ ...admin, role })
    },
    refuse: async (trx, _, reason) => {
      const changes = signInDetails(caller.user_agent, 'password')
      await writeAudit(trx, now(), actor, { action: ACTION, outcome: 'refused', reason, changes })
    },
    accept: async (trx, admin) => await openSession(deps, trx, caller, admin),
  })
}

/** Ends the session on the server and invalidates its token. */
export async function signOut({ db, now }: Deps, actor: SignedInActor): Promise<void> {
  await inTransaction(db, async (trx) => {
    await expireSession(trx, actor.session_id, now())
    await writeAudit(trx, now(), actor, { action: logout.schema.operationId })
  })
}
