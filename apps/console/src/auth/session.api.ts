import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { logout, me } from '@switchboard/contract/auth/session'
import { call } from '#src/lib/call.ts'
import { endSession } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'

/** The signed-in admin. Throws a `CallError`; a 401 has already ended the session. */
export function fetchAdmin(options: { signal?: AbortSignal } = {}): Promise<CurrentAdmin> {
  return call(me, options)
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
