import { restoreUser } from '@switchboard/contract/users'
import type { Database } from '@switchboard/database/tables'
import type { Kysely } from 'kysely'
import { type Account, accountsWithAccess, type AuditedChange, changesOf } from './access.queries.ts'

/** Actions of the command line that make a super admin. Their entries have no changes. */
const MAKES_SUPER_ADMIN = ['super_admins.first', 'super_admins.create']

type Unexplained = Account & { reason: string }

/**
 * The members and machine tokens with access that the audit log does not explain: somebody has written them into the database or
 * into a backup. Archived entries are not read.
 */
export async function unexplainedAccess(db: Kysely<Database>): Promise<Unexplained[]> {
  const accounts = await accountsWithAccess(db)
  const changes = Map.groupBy(
    await changesOf(
      db,
      accounts.map(({ id }) => id),
    ),
    ({ target_id }) => target_id,
  )
  return accounts.flatMap((account) => {
    const reason = unexplained(account, changes.get(account.id) ?? [])
    return reason === null ? [] : [{ ...account, reason }]
  })
}

/** @internal Why these changes do not lead to an account with access and this role. Null when they do. */
export function unexplained({ role }: Pick<Account, 'role'>, audited: readonly AuditedChange[]): string | null {
  let found: unknown
  let hasAccess = true
  for (const { action, changes } of audited) {
    const { role: change, is_active, revoked_at } = changes
    if (MAKES_SUPER_ADMIN.includes(action)) found = 'super_admin'
    if (typeof change?.after === 'string') found = change.after
    if (action === restoreUser.schema.operationId) hasAccess = true
    else if (is_active !== undefined) hasAccess = is_active.after === true
    else if (change?.after === null || revoked_at !== undefined) hasAccess = false
  }
  if (found === undefined) return 'no entry of the audit log made it'
  if (!hasAccess) return 'the audit log has ended its access'
  return found === role ? null : `the audit log gives it the role ${String(found)}`
}
