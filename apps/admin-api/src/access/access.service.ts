import type { Role } from '@switchboard/contract/auth/current-admin'
import { withdrawInvitation } from '@switchboard/contract/invitations'
import { revokeToken } from '@switchboard/contract/tokens'
import { addedFields, type AuditEntry, removedFields } from '@switchboard/database/audit/audit.queries'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import * as queries from './access.queries.ts'

// No access outlives its person. Each way to lose access ends here, in the transaction that has locked the account.

type Person = { id: string; email: string; tenant_id: string | null }

/**
 * Ends what a person has lost by a change of role or status. Only an active super admin has machine tokens and sends invitations:
 * everyone else loses them for good, so that they do not come back with the role. An inactive person loses everything open.
 * Returns the entries for the audit log.
 */
export async function endLostAccess(
  trx: Transaction<Database>,
  at: Date,
  after: Person & { role: Role; is_active: boolean },
): Promise<AuditEntry[]> {
  if (!after.is_active) return await endAccess(trx, at, after)
  return after.tenant_id === null && after.role !== 'super_admin' ? await endGrants(trx, at, after.id) : []
}

/** Ends everything open of a person who is removed, deactivated or refused. Returns the entries for the audit log. */
export async function endAccess(trx: Transaction<Database>, at: Date, person: Person): Promise<AuditEntry[]> {
  // Users of tenants sign in at their portals.
  if (person.tenant_id !== null) return []
  await endOpenAccess(trx, person)
  const ended = await endGrants(trx, at, person.id)
  return [...ended, ...(await endInvitationsTo(trx, person.email))]
}

/** As `endAccess`, and takes the password away. */
export async function endAccessWithPassword(
  trx: Transaction<Database>,
  at: Date,
  person: Person,
): Promise<AuditEntry[]> {
  await queries.deletePassword(trx, person.id)
  return await endAccess(trx, at, person)
}

/** Takes the password away, with the links of the account and the sessions that the password opened. */
export async function endPassword(trx: Transaction<Database>, person: Person): Promise<void> {
  await queries.deletePassword(trx, person.id)
  await queries.deleteLinks(trx, person)
  await queries.deletePasswordSessions(trx, person.id)
}

/** Ends the sessions, open sign-ins and links of an account, as a new password or address does. */
export async function endOpenAccess(trx: Transaction<Database>, account: { id: string; email: string }): Promise<void> {
  await queries.deleteSignIns(trx, account.id)
  await queries.deleteLinks(trx, account)
}

/** Ends the links of an account that reset its password or wait for a new address, also of addresses that it asked for. */
export async function endLinks(trx: Transaction<Database>, account: { id: string; email: string }): Promise<void> {
  await queries.deleteLinks(trx, account)
}

/** Revokes the machine tokens of a maker for good. Returns the entries for the audit log. */
export async function endTokens(trx: Transaction<Database>, at: Date, makerId: string): Promise<AuditEntry[]> {
  const tokens = await queries.revokeTokensOf(trx, makerId, at)
  return tokens.map(({ id, name }) => ({
    action: revokeToken.schema.operationId,
    target: { type: 'token', id, name, tenant_id: null },
    changes: addedFields({ revoked_at: at.toISOString() }),
  }))
}

/** Ends the invitations to an address that has an account again. Returns the entries for the audit log. */
export async function endInvitationsTo(trx: Transaction<Database>, email: string): Promise<AuditEntry[]> {
  return withdrawn(await queries.deleteInvitationsTo(trx, email))
}

/** Ends what acts for a person: their machine tokens, the invitations that they sent, and the new addresses that they gave others. */
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
