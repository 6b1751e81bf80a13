import * as contract from '@switchboard/contract/auth'
import { CHALLENGE_ANSWERS_MAX, CHALLENGE_ENDED, type SecondFactorProof } from '@switchboard/contract/auth/challenge'
import type { SecondFactorMethod } from '@switchboard/contract/auth/second-factor-method'
import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { AppError } from '@switchboard/server/http/errors'
import { accepted, countedAttempt, refused } from '@switchboard/sign-in/counted-attempt'
import { attemptAt } from '@switchboard/sign-in/throttle'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import type { Transaction } from 'kysely'
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
  const method = methodOf(proof)
  return await countedAttempt(deps, attemptAt('', caller.address).address, {
    begin: () => countAnswer(deps, caller, id, proof),
    // The answer is used up when it is right, so it is verified in the transaction.
    verify: async (counted) => counted,
    decide: async (trx, { challenge, account }) => {
      const user = account && (await lockActiveUser(trx, account.id))
      const role = user?.role
      const answer = { user_id: user?.id ?? '', proof, site: caller.site }
      const result = user === undefined ? 'wrong' : await verifyAnswer(deps, trx, challenge, answer)
      if (result === 'ended') return refused(ended())
      if (user === undefined || role === undefined || !isConsoleRole(role) || result !== 'right')
        return refused(wrong(method, challenge.failures), WRONG[method])
      // A passkey must not be a way around the identity provider.
      if (!mayUsePassword(deps, user)) return refused(new AppError(403, PASSWORD_SIGN_IN_OFF))
      return accepted({ ...user, role })
    },
    refuse: async (trx, { actor }, reason) => {
      const changes = signInDetails(caller.user_agent, method)
      await writeAudit(trx, deps.now(), actor, { action: ACTION, outcome: 'refused', reason, changes })
    },
    accept: async (trx, user, { challenge, attempt }) => {
      // The password step was counted too.
      if (challenge.attempt_id !== null) await forgiveAttempts(trx, { ...attempt, id: challenge.attempt_id })
      return await openSession(deps, trx, caller, user, method)
    },
  })
}

/** Counts an answer as wrong at the challenge, and names the attempt for the throttle. Throws 401 if the challenge has ended. */
async function countAnswer(deps: Deps, caller: SignInCaller, id: string, proof: SecondFactorProof) {
  const challenge = await countedChallenge(deps, 'sign_in', id)
  if (challenge === undefined) throw ended()
  const account = await accountOfAnswer(deps, challenge, proof)
  const foldedEmail = account === undefined ? 'unknown passkey' : foldEmail(account.email)
  const { address, request_id } = caller
  return {
    challenge,
    account,
    attempt: attemptAt(foldedEmail, address),
    actor: { id: null, email: account?.email ?? null, address, request_id },
    action: ACTION,
    knownAddresses: (trx: Transaction<Database>) => addressesOfAccount(trx, foldedEmail),
  }
}

function wrong(method: SecondFactorMethod, answers: number): AppError {
  if (answers < CHALLENGE_ANSWERS_MAX) return new AppError(401, WRONG[method])
  return new AppError(401, TOO_MANY, { code: CHALLENGE_ENDED })
}

function ended(): AppError {
  return new AppError(401, ENDED, { code: CHALLENGE_ENDED })
}
