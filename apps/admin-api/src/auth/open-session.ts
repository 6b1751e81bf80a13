import { login } from '@switchboard/contract/auth'
import type { CurrentAdmin } from '@switchboard/contract/auth/current-admin'
import type { SignInMethod } from '@switchboard/contract/auth/sign-ins'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type { Deps } from '#src/deps.ts'
import { enrollmentOf } from '#src/auth/second-factors/enrollment.service.ts'
import { startSession } from '#src/auth/sessions/sessions.service.ts'
import { rememberDevice, signInDetails } from '#src/auth/sign-ins/sign-ins.service.ts'
import { updateUserRow } from '#src/users/users.queries.ts'

/** Where a sign-in comes from. */
export type Caller = { address: string; request_id: string; user_agent: string | null }

/**
 * Opens the session of a person whose sign-in was verified, in the transaction that has locked the account. Writes the last
 * sign-in, the known device and the audit entry, which names the method.
 */
export async function openSession(
  deps: Pick<Deps, 'now' | 'randomBytes' | 'mailer' | 'mails'>,
  trx: Transaction<Database>,
  { address, request_id, user_agent }: Caller,
  admin: CurrentAdmin,
  method: SignInMethod = 'password',
) {
  const at = deps.now()
  const user_id = admin.id
  const { session_id, ...started } = await startSession(deps, trx, {
    user_id,
    address,
    user_agent,
    with_factor: isSecondFactor(method),
  })
  const isNewPlace = await rememberDevice(deps, trx, { user_id, email: admin.email, session_id, address, user_agent })
  await updateUserRow(trx, admin.id, { last_sign_in_at: at })
  const actor = { id: admin.id, email: admin.email, address, request_id }
  // The identity provider has asked for a second factor itself.
  const enrollment = method === 'single_sign_on' ? {} : await enrollmentOf(trx, admin.id)
  const changes = signInDetails(user_agent, method, isNewPlace)
  await writeAudit(trx, at, actor, { action: login.schema.operationId, changes })
  return { ...started, token_type: 'bearer' as const, admin: { ...admin, ...enrollment } }
}

function isSecondFactor(method: SignInMethod): boolean {
  return method !== 'password' && method !== 'single_sign_on'
}
