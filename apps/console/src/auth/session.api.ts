import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { login, logout, me } from '@switchboard/contract/auth'
import { call } from '#src/lib/call.ts'
import { beginSession, endSession, refreshAdmin, untilSessionEnds } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'

/** The signed-in admin. Throws a `CallError`; a 401 has ended the session by then. */
export function fetchAdmin(options: { signal?: AbortSignal } = {}): Promise<CurrentAdmin> {
  return call(me, options)
}

/** Signs in and keeps the session. The full profile follows; if it does not come, what the sign-in gave will do. */
export async function signIn(email: string, password: string): Promise<void> {
  const { access_token, admin } = await call(login, { body: { email, password } })
  beginSession(access_token, admin)
  const signal = untilSessionEnds()
  fetchAdmin({ signal }).then(refreshAdmin, (error: unknown) => {
    if (!signal.aborted) console.warn('The profile could not be fetched.', error)
  })
}

/** Forgets the session at once, then tells the server, which may be out of reach. */
export function signOut(): void {
  const token = storedToken.get()
  endSession()
  if (token === null) return
  call(logout, { token }).catch((error: unknown) => console.warn('The server was not told of the sign-out.', error))
}
