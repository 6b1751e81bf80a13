import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import { logout, me } from '@switchboard/contract/auth/session'
import { isBusy } from '#src/lib/call-error.ts'
import { call } from '#src/lib/call.ts'
import { endSession } from '#src/lib/session.ts'
import { storedToken } from '#src/lib/storage.ts'
import { withRetries } from '#src/lib/with-retries.ts'

/**
 * The signed-in admin. Calls again while the server is busy: without the answer, no page can be shown. Throws a
 * `CallError`; a 401 has already ended the session.
 */
export function fetchAdmin(options: { signal?: AbortSignal } = {}): Promise<CurrentAdmin> {
  return withRetries(() => call(me, options), options.signal, isBusy)
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
