import { inTransaction } from '@switchboard/database/in-transaction'
import { PASSWORD_SIGN_IN_OFF } from '@switchboard/contract/single-sign-on'
import * as contract from '@switchboard/contract/invitations'
import type { Invitation, InvitationBody, IssuedInvitation } from '@switchboard/contract/invitations'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { addedFields, type AuditTarget, removedFields, writeAudit } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import { conflict, notFound, taken } from '@switchboard/server/http/errors'
import { refuseGuessable } from '@switchboard/sign-in/new-password'
import type { Transaction } from 'kysely'
import { userByEmail } from '#src/users/users.queries.ts'
import type { Deps } from '#src/deps.ts'
import { issueLink, linkOfToken, linkRefused, takeLink } from '#src/auth/links/links.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { lockTeam } from '#src/users/super-admins.service.ts'
import * as queries from './invitations.queries.ts'

/** Pending invitations, newest first. */
export async function pendingInvitations({ db }: Pick<Deps, 'db'>): Promise<Invitation[]> {
  return await queries.invitations(db)
}

/**
 * Invites a person; replaces an earlier invitation to the same address. `origin` is the origin of the console in a link to
 * copy. Throws 409 for the address of a user, for more than `INVITATIONS_MAX` invitations, and without password sign-ins.
 */
export async function createInvitation(
  deps: Deps,
  actor: Actor,
  { email, role }: InvitationBody,
  origin: string,
): Promise<IssuedInvitation> {
  if (!deps.isPasswordSignInOn) throw conflict(PASSWORD_SIGN_IN_OFF)
  return await inTransaction(deps.db, async (trx) => {
    await lockTeam(trx, actor)
    await refuseTaken(trx, email)
    const issued = await issue(deps, trx, actor, { email, role }, origin)
    if ((await queries.countInvitations(trx)) > contract.INVITATIONS_MAX)
      throw conflict(`There can be ${contract.INVITATIONS_MAX} pending invitations. Withdraw one first.`)
    await writeAudit(trx, deps.now(), actor, {
      action: contract.createInvitation.schema.operationId,
      target: targetOf(email),
      changes: addedFields({ email, role }),
    })
    return issued
  })
}

/** Gives an invitation a new id and a new link. Throws 404, and 409 like `createInvitation`. */
export async function resendInvitation(
  deps: Deps,
  actor: Actor,
  id: string,
  origin: string,
): Promise<IssuedInvitation> {
  return await inTransaction(deps.db, async (trx) => {
    await lockTeam(trx, actor)
    const before = await queries.invitationById(trx, id)
    if (before === undefined) throw notFound('Invitation')
    await refuseTaken(trx, before.email)
    const issued = await issue(deps, trx, actor, before, origin)
    const action = contract.resendInvitation.schema.operationId
    await writeAudit(trx, deps.now(), actor, { action, target: targetOf(before.email) })
    return issued
  })
}

/** Deletes an invitation, so that its link ends. Throws 404. */
export async function withdrawInvitation({ db, now }: Deps, actor: Actor, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockTeam(trx, actor)
    const invitation = await queries.deleteInvitation(trx, id)
    if (invitation === undefined) throw notFound('Invitation')
    await writeAudit(trx, now(), actor, {
      action: contract.withdrawInvitation.schema.operationId,
      target: targetOf(invitation.email),
      changes: removedFields(invitation),
    })
  })
}

/** Address and role of the invitation with this token. Throws 404 with `LINK_REFUSED`. */
export async function readInvitation(deps: Deps, token: string): Promise<InvitationBody> {
  return withRole(await linkOfToken(deps, 'invitation', token))
}

/**
 * Makes the account of an invited person and uses up the invitation. Throws 404 with `LINK_REFUSED`, 409 for an address
 * that was taken in the meantime, 422 for a guessable password.
 */
export async function acceptInvitation(
  deps: Deps,
  caller: { address: string; request_id: string },
  { token, name = null, password }: { token: string; name?: string | null | undefined; password: string },
): Promise<InvitationBody> {
  const { db, now, passwords } = deps
  const { email: address } = await linkOfToken(deps, 'invitation', token)
  await refuseGuessable(deps, 'password', password, { owner: 'console', names: [address] })
  const password_hash = await passwords.hash(password)
  return await inTransaction(db, async (trx) => {
    const { email, role } = withRole(await takeLink(deps, trx, 'invitation', token))
    const { id } = await queries.insertAccount(trx, { email, name, role, password_hash, created_at: now() })
    await writeAudit(
      trx,
      now(),
      { id, email, ...caller },
      {
        action: contract.acceptInvitation.schema.operationId,
        target: { ...targetOf(email), id },
        changes: addedFields({ email, ...(name !== null && { name }), role }),
      },
    )
    return { email, role }
  })
}

async function issue(
  deps: Deps,
  trx: Transaction<Database>,
  actor: Actor,
  { email, role }: InvitationBody,
  origin: string,
): Promise<IssuedInvitation> {
  if (!deps.isPasswordSignInOn) throw conflict(PASSWORD_SIGN_IN_OFF)
  const recipient = { kind: 'invitation' as const, email, role, invited_by: actor.email, invited_by_id: actor.admin.id }
  const { id, url } = await issueLink(deps, trx, recipient, origin)
  const invitation = await queries.invitationById(trx, id)
  if (invitation === undefined) throw notFound('Invitation')
  return { ...invitation, link: url }
}

async function refuseTaken(trx: Transaction<Database>, email: string): Promise<void> {
  if ((await userByEmail(trx, foldEmail(email))) !== undefined) throw taken('users_email_unique')
}

function withRole({ email, role }: { email: string; role: InvitationBody['role'] | null }): InvitationBody {
  if (role === null) throw linkRefused()
  return { email, role }
}

/** An invited person has no id yet. */
function targetOf(email: string): AuditTarget {
  return { type: 'user', id: null, name: email, tenant_id: null }
}
