import { type InvitedUser, inviteUser as endpoint, type User } from '@switchboard/contract/users'
import { writeAudit } from '@switchboard/database/audit/audit.queries'
import { inTransaction } from '@switchboard/database/in-transaction'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound } from '@switchboard/server/http/errors'
import type { Transaction } from 'kysely'
import { endLinks } from '#src/auth/access/access.service.ts'
import { issueLink } from '#src/auth/links/links.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import type { Deps } from '#src/deps.ts'
import { refuseRemovedActor } from './super-admins.service.ts'
import { tenantNames } from './users.queries.ts'
import { lockForChange, targetOf, userOf } from './users.service.ts'

const CONSOLE_ACCOUNT = 'People who run the console are invited on the team page.'
const HAS_PASSWORD = 'This user has a password already.'
const INACTIVE = 'Activate the user before you send an invitation.'

/**
 * Sends a user of a tenant a new link, with which they choose their first password. Throws 404, and 409 for a user who has a
 * password or is inactive, and for an account of the console.
 */
export async function inviteUser(deps: Deps, actor: Actor, id: string): Promise<InvitedUser> {
  return await inTransaction(deps.db, async (trx) => {
    const user = await lockForChange(trx, id)
    if (user.tenant_id === null) throw conflict(CONSOLE_ACCOUNT)
    if (user.has_password) throw conflict(HAS_PASSWORD)
    if (!user.is_active) throw conflict(INACTIVE)
    await refuseRemovedActor(trx, actor)
    const tenant = await tenantNames(trx, user.tenant_id)
    if (tenant === undefined) throw notFound('User')
    await endLinks(trx, user)
    await writeAudit(trx, deps.now(), actor, { action: endpoint.schema.operationId, target: targetOf(user) })
    return await issueInvitation(deps, trx, user, tenant.subdomain)
  })
}

/** Makes the link of an invitation to the portal of a tenant, in the transaction that has created or locked the user. */
export async function issueInvitation(
  deps: Deps,
  trx: Transaction<Database>,
  { id, email }: User,
  subdomain: string,
): Promise<InvitedUser> {
  const portal_url = deps.portalUrl.replace('{subdomain}', subdomain)
  const recipient = { email, role: null, invited_by: null, invited_by_id: null, user_id: id, portal_url }
  const { url } = await issueLink(deps, trx, { kind: 'user_invitation', ...recipient }, portal_url)
  return { ...(await userOf({ db: trx }, id)), invitation_link: url }
}
