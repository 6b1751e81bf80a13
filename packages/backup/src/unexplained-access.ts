import { restoreUser } from '@switchboard/contract/users'
import { columnsOf } from '@switchboard/database/audit/audit-file'
import { deletedRows } from '@switchboard/database/audit/audit-files'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type Account, accountsWithAccess, type AuditedChange, changesOf } from './access.queries.ts'

/** Commands that create a super admin. Their entries have no changes. */
const MAKES_SUPER_ADMIN = ['super_admins.first', 'super_admins.create']

type Unexplained = Account & { reason: string }

/**
 * The members and service tokens whose access the audit log does not explain, so somebody may have written them to the
 * database or to a backup. Also reads the deleted entries if the folder of the files of a log sink is given. Throws a
 * StartError for a missing or changed file.
 */
export async function unexplainedAccess(db: Kysely<Database>, files: string | undefined): Promise<Unexplained[]> {
  const accounts = await accountsWithAccess(db)
  const changes = await changesOf(
    db,
    accounts.map(({ id }) => id),
  )
  const found = allUnexplained(accounts, changes)
  if (found.length === 0 || files === undefined) return found
  return allUnexplained(accounts, [...(await deletedChanges(db, files)), ...changes])
}

function allUnexplained(accounts: readonly Account[], changes: readonly AuditedChange[]): Unexplained[] {
  const byId = Map.groupBy(changes, ({ target_id }) => target_id)
  return accounts.flatMap((account) => {
    const reason = unexplained(account, byId.get(account.id) ?? [])
    return reason === null ? [] : [{ ...account, reason }]
  })
}

const deletedChange = z.object({
  target_type: z.enum(['user', 'token']),
  target_id: z.string(),
  outcome: z.literal('done'),
  action: z.string(),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
})

async function deletedChanges(db: Kysely<Database>, folder: string): Promise<AuditedChange[]> {
  const changes: AuditedChange[] = []
  for await (const row of deletedRows(db, folder)) {
    const { data } = deletedChange.safeParse(columnsOf(row))
    if (data !== undefined) changes.push(data)
  }
  return changes
}

/** @internal The reason why these changes do not lead to an account with access and this role or these scopes, or null. */
export function unexplained({ role }: Pick<Account, 'role'>, audited: readonly AuditedChange[]): string | null {
  let found: string | undefined
  let hasAccess = true
  for (const { action, changes } of audited) {
    const { role: change, scopes, is_active, revoked_at } = changes
    if (MAKES_SUPER_ADMIN.includes(action)) found = 'super_admin'
    if (typeof change?.after === 'string') found = change.after
    if (Array.isArray(scopes?.after)) found = scopes.after.join(', ')
    if (action === restoreUser.schema.operationId) hasAccess = true
    else if (is_active !== undefined) hasAccess = is_active.after === true
    else if (change?.after === null || revoked_at !== undefined) hasAccess = false
  }
  if (found === undefined) return 'no entry of the audit log created it'
  if (!hasAccess) return 'an entry of the audit log ended its access'
  return found === role ? null : `the audit log gives it other rights: ${found}`
}
