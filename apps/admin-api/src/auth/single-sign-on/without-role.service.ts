import { inTransaction } from '@switchboard/database/in-transaction'
import { ROLE_LOST_ACTION, SINGLE_SIGN_ON_ACTOR } from '@switchboard/contract/single-sign-on'
import { SECRET_CHANGE } from '@switchboard/database/audit/secret-change'
import { writeAudits } from '@switchboard/database/audit/audit.queries'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { type NoticeDeps, tellAccount } from '#src/auth/account-notices/account-notices.service.ts'
import { endAccessWithPassword } from '#src/auth/access/access.service.ts'
import type { Caller } from '#src/auth/open-session.ts'
import type { Deps } from '#src/deps.ts'
import { liveSessionsOfUser } from '#src/auth/sessions/sessions.queries.ts'
import { liveLimits } from '#src/auth/sessions/sessions.service.ts'
import { isLastSuperAdmin } from '#src/users/super-admins.service.ts'
import type { Claims } from './claims.ts'
import { accountOfIdentity, lockAccount } from './identities.queries.ts'

/**
 * Ends the access of a person who no longer has a role at the identity provider: sessions, links, invitations, service
 * tokens and the password. The last active super admin keeps them, because that account cannot lose its role either.
 * Does nothing for an unknown identity.
 */
export async function endAccessWithoutRole(
  deps: NoticeDeps & Pick<Deps, 'db'>,
  { address, request_id }: Caller,
  { iss: issuer, sub: subject }: Claims,
): Promise<void> {
  const { db, now } = deps
  await inTransaction(db, async (trx) => {
    const account = await accountOfIdentity(trx, { issuer, subject })
    if (account === undefined || (await isLastSuperAdmin(trx, account.id))) return
    await lockAccount(trx, account.id)
    const { length: sessions } = await liveSessionsOfUser(trx, account.id, liveLimits(now()))
    const hadPassword = account.password_hash !== NO_PASSWORD
    const ended = await endAccessWithPassword(trx, now(), account)
    if (sessions === 0 && !hadPassword && ended.length === 0) return
    const entry = {
      action: ROLE_LOST_ACTION,
      target: { type: 'user' as const, id: account.id, name: account.email, tenant_id: null },
      changes: { open_sessions: { before: sessions, after: 0 }, ...(hadPassword && { password: SECRET_CHANGE }) },
    }
    const actor = { id: null, email: SINGLE_SIGN_ON_ACTOR, address, request_id }
    await tellAccount(deps, trx, actor, account, [
      'The identity provider gave the account no role any more, which ended its sessions, service tokens, invitations and password.',
    ])
    await writeAudits(trx, now(), actor, [...ended, entry])
  })
}
