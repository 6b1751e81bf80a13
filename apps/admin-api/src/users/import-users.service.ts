import { isConsoleRole } from '@switchboard/contract/auth/current-admin'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import * as contract from '@switchboard/contract/users/user-import'
import type { ImportAnswer } from '@switchboard/contract/wire/imports'
import { addedFields, writeAudits } from '@switchboard/database/audit/audit.queries'
import { CONSTRAINT_SENTENCES } from '@switchboard/database/constraint-sentences'
import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Deps } from '#src/deps.ts'
import { importRows } from '#src/lists/import.service.ts'
import type { Actor } from '#src/auth/sessions/sessions.service.ts'
import { heldEmails, insertUsers, lockNamedTenants, ownersOfExternalIds, usersByEmail } from './import-users.queries.ts'

type Row = contract.ImportedUser

const CONSOLE_ROLE = { column: 'role', message: 'People who run the console are invited on the team page.' }
const REMOVED = { column: 'email', message: CONSTRAINT_SENTENCES['users_email_unique_with_removed'] ?? '' }
const HELD = { column: 'email', message: CONSTRAINT_SENTENCES['users_email_unique_with_deleted'] ?? '' }
const OWNED = { column: 'external_id', message: CONSTRAINT_SENTENCES['users_external_id_unique'] ?? '' }

/**
 * Creates the users whose email addresses are free, each with the audit entry of a creation. They have no password: 10,000
 * hashes take a minute, and a file is no place for passwords.
 */
export async function importUsers(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  body: z.infer<typeof contract.importUsers.schema.body>,
): Promise<ImportAnswer> {
  const rules = {
    schema: contract.importedUser,
    required: ['email', 'role'],
    keyOf: ({ email }: Row) => foldEmail(email),
    resolver: tenantResolver,
    refusal: async (trx: Transaction<Database>, users: readonly Row[]) => {
      const emails = users.map(({ email }) => foldEmail(email))
      const { ofDeletedTenants, ofRemoved } = await heldEmails(trx, emails)
      // Of several rows with the same external id, only the first is created.
      const owners = await ownersOfExternalIds(
        trx,
        users.flatMap(({ external_id }) => external_id ?? []),
      )
      for (const { external_id, email } of users)
        if (external_id !== undefined && !owners.has(external_id)) owners.set(external_id, foldEmail(email))
      return ({ email, role, external_id }: Row) => {
        if (isConsoleRole(role)) return CONSOLE_ROLE
        if (ofRemoved.has(foldEmail(email))) return REMOVED
        if (ofDeletedTenants.has(foldEmail(email))) return HELD
        return external_id === undefined || owners.get(external_id) === foldEmail(email) ? null : OWNED
      }
    },
    existing: usersByEmail,
    create: async (trx: Transaction<Database>, users: readonly Row[]) => {
      const created = await insertUsers(trx, users, now())
      const entries = created.map(({ id, email, name, external_id, role, tenant_id, is_active }) => ({
        action: contract.importUsers.schema.operationId,
        target: { type: 'user' as const, id, name: email, tenant_id },
        changes: addedFields({
          email,
          ...(name !== null && { name }),
          ...(external_id !== null && { external_id }),
          role,
          tenant_id,
          is_active,
        }),
      }))
      await writeAudits(trx, now(), actor, entries)
      return new Set(created.map(({ email }) => foldEmail(email)))
    },
  }
  return await importRows(db, rules, body)
}

/** Replaces the subdomain of a tenant with its id. */
async function tenantResolver(trx: Transaction<Database>, rows: readonly Row[]) {
  const tenants = await lockNamedTenants(trx, [...new Set(rows.flatMap(({ tenant_id }) => tenant_id ?? []))])
  return (row: Row): Row | { column: string; message: string } => {
    if (row.tenant_id === undefined)
      return isConsoleRole(row.role)
        ? row
        : { column: 'tenant_id', message: 'Enter the ID or the subdomain of a tenant.' }
    const tenant_id = tenants.get(row.tenant_id)
    if (tenant_id === undefined)
      return { column: 'tenant_id', message: 'There is no tenant with this ID or subdomain.' }
    if (isConsoleRole(row.role))
      return { column: 'tenant_id', message: 'A person who runs the console belongs to no tenant.' }
    return { ...row, tenant_id }
  }
}
