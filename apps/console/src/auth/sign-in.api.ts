import { login, refusedSignIn, type SignedIn } from '@switchboard/contract/auth'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { call } from '#src/lib/call.ts'
import { CallError } from '#src/lib/call-error.ts'
import { beginSession, refreshAdmin, untilSessionEnds } from '#src/lib/session.ts'
import { fetchAdmin } from './session.api.ts'

/** Signs in and stores the session, or returns the challenge of an account with a second factor. */
export async function signIn(email: string, password: string): Promise<SignInChallenge | null> {
  try {
    startSignedIn(await call(login, { body: { email, password } }))
    return null
  } catch (error) {
    const body =
      error instanceof CallError && error.status === 401 ? refusedSignIn.safeParse(error.body).data : undefined
    if (body?.challenge === undefined) throw error
    return body.challenge
  }
}

/** Stores the session. The full profile follows; without an answer, the profile of the sign-in remains. */
export function startSignedIn({ access_token, admin }: SignedIn): void {
  beginSession(access_token, admin)
  const signal = untilSessionEnds()
  fetchAdmin({ signal }).then(refreshAdmin, (error: unknown) => {
    if (!signal.aborted) console.warn('The profile could not be fetched.', error)
  })
}
