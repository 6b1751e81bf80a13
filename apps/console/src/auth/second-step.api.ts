import { answerChallenge, beginPasskeySignIn } from '@switchboard/contract/auth'
import { CHALLENGE_ENDED, type SecondFactorProof, type SignInChallenge } from '@switchboard/contract/auth/challenge'
import { call } from '#src/lib/call.ts'
import { errorCodeOf } from '#src/lib/call-error.ts'
import { signWithPasskey } from '#src/account/second-factors/passkeys.api.ts'
import { startSignedIn } from './sign-in.api.ts'

export type SendProof = (challenge: SignInChallenge, proof: SecondFactorProof, password?: string) => Promise<void>

/** Sends the second step of a sign-in and stores the session. */
export async function sendProof({ id }: SignInChallenge, proof: SecondFactorProof): Promise<void> {
  startSignedIn(await call(answerChallenge, { body: { id, ...proof } }))
}

/** Asks the browser for a passkey of the account, and sends it, together with the password if that is needed too. */
export async function sendPasskey(challenge: SignInChallenge, send: SendProof, password?: string): Promise<void> {
  if (challenge.passkey === null) return
  await send(challenge, { passkey: await signWithPasskey(challenge.passkey) }, password)
}

/** Signs in with a passkey, without a password. */
export async function signInWithPasskey(): Promise<null> {
  await sendPasskey(await call(beginPasskeySignIn, {}), sendProof)
  return null
}

/** Whether the sign-in begins again with the password. */
export function isChallengeEnded(error: unknown): boolean {
  return errorCodeOf(error) === CHALLENGE_ENDED
}
