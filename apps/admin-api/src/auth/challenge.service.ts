import { inTransaction } from '@switchboard/database/in-transaction'
import * as contract from '@switchboard/contract/auth'
import { CHALLENGE_ANSWERS_MAX, CHALLENGE_ENDED, type SecondFactorProof } from '@switchboard/contract/auth/challenge'
import type { SecondFactorMethod } from '@switchboard/contract/auth/second-factor-method'
import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { AppError } from '@switchboard/server/http/errors'
import { runInTurn } from '@switchboard/sign-in/sign-in-queue'
import { attemptAt, endThrottleWindows, reserveAttempt } from '@switchboard/sign-in/throttle'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import type { Deps } from '#src/deps.ts'
import { accountOfAnswer, countedChallenge } from '#src/auth/second-factors/challenges.service.ts'
import { signInDetails } from '#src/auth/sign-ins/sign-ins.service.ts'
import { methodOf, verifyAnswer } from '#src/auth/second-factors/proof.service.ts'
import type { SignInCaller } from './auth.service.ts'
import { openSession } from './open-session.ts'
import { mayUsePassword } from './may-use-password.ts'
import { addressesOfAccount, lockActiveUser } from './sign-in.queries.ts'

const ACTION = contract.login.schema.operationId
const ENDED = 'This sign-in has ended. Enter your password again.'
const TOO_MANY = 'Too many wrong answers. Enter your password again.'
const WRONG: Record<SecondFactorMethod, string> = {
  totp: 'This code is not right, or was used before. Wait for the next code.',
  passkey: 'This passkey could not be verified.',
  recovery_code: 'This recovery code is not right, or was used before.',
}

/**
 * The second step of a sign-in, or a sign-in with only a passkey. Throws 401 for a wrong answer and for a challenge
 * that has ended, and 429 after too many failures. Audits every answer to an open challenge.
 */
export async function answerChallenge(
  deps: Deps,
  caller: SignInCaller,
  { id, ...proof }: SecondFactorProof & { id: string },
): Promise<contract.SignedIn> {
  const answered = await runInTurn(attemptAt('', caller.address).address, {
    count: () => countAnswer(deps, caller, id, proof),
    verify: async (counted) => (counted === null ? ended() : await verifyAndStart(deps, caller, counted, proof)),
  })
  if (answered instanceof AppError) throw answered
  return answered
}

type Counted = NonNullable<Awaited<ReturnType<typeof countAnswer>>>

/** Counts an answer as wrong, at the challenge and in the throttle. `null` if the challenge has ended. */
async function countAnswer(deps: Deps, caller: SignInCaller, id: string, proof: SecondFactorProof) {
  const challenge = await countedChallenge(deps, 'sign_in', id)
  if (challenge === undefined) return null
  const account = await accountOfAnswer(deps, challenge, proof)
  const foldedEmail = account === undefined ? 'unknown passkey' : foldEmail(account.email)
  const { address, request_id } = caller
  const actor = { id: null, email: account?.email ?? null, address, request_id }
  const reserved = await reserveAttempt(deps, attemptAt(foldedEmail, address), {
    actor,
    action: ACTION,
    knownAddresses: (trx) => addressesOfAccount(trx, foldedEmail),
  })
  return { challenge, account, actor, reserved }
}

/** Returns the new session, or the refusal. Audits both. */
async function verifyAndStart(
  deps: Deps,
  caller: SignInCaller,
  { challenge, account, actor, reserved }: Counted,
  proof: SecondFactorProof,
): Promise<contract.SignedIn | AppError> {
  const method = methodOf(proof)
  const answered = await inTransaction(deps.db, async (trx) => {
    const user = account && (await lockActiveUser(trx, account.id))
    const role = user?.role
    const answer = { user_id: user?.id ?? '', proof, site: caller.site }
    const result = user === undefined ? 'wrong' : await verifyAnswer(deps, trx, challenge, answer)
    if (user === undefined || role === undefined || !isConsoleRole(role) || result !== 'right') {
      const refusal = result === 'ended' ? ended() : wrong(method, challenge.failures)
      const reason = result === 'ended' ? ENDED : WRONG[method]
      await writeAudit(trx, deps.now(), actor, {
        action: ACTION,
        outcome: 'refused',
        reason,
        changes: signInDetails(caller.user_agent, method),
      })
      return refusal
    }
    // A passkey must not be a way around the identity provider.
    if (!mayUsePassword(deps, user)) {
      const changes = signInDetails(caller.user_agent, method)
      await writeAudit(trx, deps.now(), actor, {
        action: ACTION,
        outcome: 'refused',
        reason: PASSWORD_SIGN_IN_OFF,
        changes,
      })
      return new AppError(403, PASSWORD_SIGN_IN_OFF)
    }
    // The password step was counted too.
    if (challenge.attempt_id !== null) await forgiveAttempts(trx, { ...reserved, id: challenge.attempt_id })
    await forgiveAttempts(trx, reserved)
    return await openSession(deps, trx, caller, { ...user, role }, method)
  })
  await endThrottleWindows(deps)
  return answered
}

function wrong(method: SecondFactorMethod, answers: number): AppError {
  if (answers < CHALLENGE_ANSWERS_MAX) return new AppError(401, WRONG[method])
  return new AppError(401, TOO_MANY, { extra: { reason: CHALLENGE_ENDED } })
}

function ended(): AppError {
  return new AppError(401, ENDED, { extra: { reason: CHALLENGE_ENDED } })
}
