import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { login, logout, me } from '@switchboard/contract/auth'
import { call } from '#src/lib/call.ts'
import { beginSession, endSession, refreshAdmin, untilSessionEnds } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'

/** The signed-in admin. Throws a `CallError`; a 401 has already ended the session. */
export function fetchAdmin(options: { signal?: AbortSignal } = {}): Promise<CurrentAdmin> {
  return call(me, options)
}

/** Signs in and stores the session. */
export async function signIn(email: string, password: string): Promise<void> {
  openSession(await call(login, { body: { email, password } }))
}

/** Stores the session of a sign-in. The full profile follows; without an answer, the profile of the sign-in remains. */
export function openSession({ access_token, admin }: { access_token: string; admin: CurrentAdmin }): void {
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
