import { badRequest } from '@switchboard/server/http/errors'
import { runInTurn } from '@switchboard/sign-in/sign-in-queue'
import { attemptAt, reserveAttempt } from '@switchboard/sign-in/throttle'
import { forgiveAttempts } from '@switchboard/sign-in/throttle.queries'
import type { Deps } from '#src/deps.ts'
import type { SignedInActor } from '#src/auth/sessions/sessions.service.ts'
import { passwordHashOf } from './sign-in.queries.ts'

/**
 * Returns the hash that matches the actor's password. Throws 400 for a wrong password, 429 after too many. `action` is the
 * operation id in the audit log.
 */
export async function checkCurrentPassword(
  deps: Pick<Deps, 'db' | 'now' | 'passwords'>,
  actor: SignedInActor,
  password: string,
  action: string,
): Promise<string> {
  return await countedForSession(deps, actor, action, async () => {
    const stored = await passwordHashOf(deps.db, actor.id)
    const matches = await deps.passwords.verify(stored, password)
    if (!matches || stored === null) throw badRequest('Current password is incorrect')
    return stored
  })
}

/**
 * Counts the attempt as a failure of the session until `verify` returns. The throttle covers stolen sessions too, and failed
 * sign-ins of strangers never keep an admin out of their account. Throws 429 after too many failures.
 */
export async function countedForSession<Verified>(
  deps: Pick<Deps, 'db' | 'now'>,
  actor: SignedInActor,
  action: string,
  verify: () => Promise<Verified>,
): Promise<Verified> {
  const attempt = attemptAt(`session ${actor.session_id}`, actor.address ?? '')
  return await runInTurn(attempt.address, {
    count: () => reserveAttempt(deps, attempt, { actor, action }),
    verify: async (reserved) => {
      const verified = await verify()
      await forgiveAttempts(deps.db, reserved)
      return verified
    },
  })
}
