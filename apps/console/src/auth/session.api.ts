import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { login, logout, me, refusedSignIn, type SignedIn } from '@switchboard/contract/auth'
import type { SignInChallenge } from '@switchboard/contract/auth/challenge'
import { call } from '#src/lib/call.ts'
import { CallError } from '#src/lib/call-error.ts'
import { beginSession, endSession, refreshAdmin, untilSessionEnds } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'

/** The signed-in admin. Throws a `CallError`; a 401 has already ended the session. */
export function fetchAdmin(options: { signal?: AbortSignal } = {}): Promise<CurrentAdmin> {
  return call(me, options)
}

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

/** Ends the session in the browser at once, then on the server, if the server is reachable. */
export function signOut(): void {
  const token = storedToken.get()
  endSession()
  if (token === null) return
  call(logout, { token }).catch((error: unknown) =>
    console.warn('The session could not be ended on the server.', error),
  )
}
