import type { Role } from '@switchboard/contract/auth/current-admin'
import { withdrawInvitation } from '@switchboard/contract/invitations'
import { revokeToken } from '@switchboard/contract/tokens'
import { addedFields, type AuditEntry, removedFields } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import * as queries from './access.queries.ts'

// Whatever takes access away from a person calls this file, in the transaction that has locked the account, so that no
// session, link, invitation or token is forgotten.

type Person = { id: string; email: string; tenant_id: string | null }

/**
 * Ends the access that a person loses with a change of role or status. Only active super admins have service tokens and
 * send invitations. Everyone else loses them permanently: they must not come back with the role. A deactivated person
 * loses all access. Returns the entries for the audit log.
 */
export async function endLostAccess(
  trx: Transaction<Database>,
  at: Date,
  after: Person & { role: Role; is_active: boolean },
): Promise<AuditEntry[]> {
  if (!after.is_active) return await endAccess(trx, at, after)
  return after.tenant_id === null && after.role !== 'super_admin' ? await endGrants(trx, at, after.id) : []
}

/** Ends all access of a person who is removed, deactivated or refused. Returns the entries for the audit log. */
export async function endAccess(trx: Transaction<Database>, at: Date, person: Person): Promise<AuditEntry[]> {
  // Users of a tenant sign in to the tenant's portal, so only an invitation can end here.
  if (person.tenant_id !== null) await endLinks(trx, person)
  if (person.tenant_id !== null) return []
  await endOpenAccess(trx, person)
  const ended = await endGrants(trx, at, person.id)
  return [...ended, ...(await endInvitationsTo(trx, person.email))]
}

/** Like `endAccess`, but also removes the password. */
export async function endAccessWithPassword(
  trx: Transaction<Database>,
  at: Date,
  person: Person,
): Promise<AuditEntry[]> {
  await queries.deletePassword(trx, person.id)
  return await endAccess(trx, at, person)
}

/** Removes the password, the links of the account, and the sessions that the password opened. */
export async function endPassword(trx: Transaction<Database>, person: Person): Promise<void> {
  await queries.deletePassword(trx, person.id)
  await queries.deleteLinks(trx, person)
  await queries.deletePasswordSessions(trx, person.id)
}

/** Ends the sessions, unfinished sign-ins and links of an account. A new password or address does the same. */
export async function endOpenAccess(trx: Transaction<Database>, account: { id: string; email: string }): Promise<void> {
  await queries.deleteSignIns(trx, account.id)
  await queries.deleteLinks(trx, account)
}

/**
 * Ends the invitation of a user of a tenant. Ends the password reset links of an account, and the links to new addresses that are pending for it or that it
 * requested.
 */
export async function endLinks(trx: Transaction<Database>, account: { id: string; email: string }): Promise<void> {
  await queries.deleteLinks(trx, account)
}

/** Revokes the service tokens that a person made, permanently. Returns the entries for the audit log. */
export async function endTokens(trx: Transaction<Database>, at: Date, makerId: string): Promise<AuditEntry[]> {
  const tokens = await queries.revokeTokensOf(trx, makerId, at)
  return tokens.map(({ id, name }) => ({
    action: revokeToken.schema.operationId,
    target: { type: 'token', id, name, tenant_id: null },
    changes: addedFields({ revoked_at: at.toISOString() }),
  }))
}

/** Withdraws the invitations to an address that now has an account. Returns the entries for the audit log. */
export async function endInvitationsTo(trx: Transaction<Database>, email: string): Promise<AuditEntry[]> {
  return withdrawn(await queries.deleteInvitationsTo(trx, email))
}

/**
 * Ends what acts for a person: service tokens, sent invitations, and the new addresses that they requested for others.
 */
async function endGrants(trx: Transaction<Database>, at: Date, id: string): Promise<AuditEntry[]> {
  const tokens = await endTokens(trx, at, id)
  await queries.deleteAddressChangesBy(trx, id)
  return [...tokens, ...withdrawn(await queries.deleteInvitationsBy(trx, id))]
}

function withdrawn(invitations: { email: string; role: Role | null }[]): AuditEntry[] {
  return invitations.map((invitation) => ({
    action: withdrawInvitation.schema.operationId,
    target: { type: 'user', id: null, name: invitation.email, tenant_id: null },
    changes: removedFields(invitation),
  }))
}
