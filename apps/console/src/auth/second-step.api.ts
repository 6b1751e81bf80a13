import { answerChallenge, beginPasskeySignIn } from '@switchboard/contract/auth'
import { CHALLENGE_ENDED, type SecondFactorProof, type SignInChallenge } from '@switchboard/contract/auth/challenge'
import { call } from '#src/lib/call.ts'
import { CallError, reasonOf } from '#src/lib/call-error.ts'
import { signWithPasskey } from '#src/second-factors/passkeys.api.ts'
import { startSignedIn } from './session.api.ts'

/** Sends the second step of a sign-in and stores the session. */
export async function sendProof({ id }: SignInChallenge, proof: SecondFactorProof): Promise<void> {
  startSignedIn(await call(answerChallenge, { body: { id, ...proof } }))
}

/** As `sendProof`, with a passkey of the account. */
export async function sendPasskey(challenge: SignInChallenge): Promise<void> {
  if (challenge.passkey === null) return
  await sendProof(challenge, { passkey: await signWithPasskey(challenge.passkey) })
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(): Promise<null> {
  await sendPasskey(await call(beginPasskeySignIn, {}))
  return null
}

/** Whether the sign-in begins again with the password. */
export function isChallengeEnded(error: unknown): boolean {
  return error instanceof CallError && reasonOf(error.body) === CHALLENGE_ENDED
}
