import { sql, type Transaction } from 'kysely'
import type { Database } from './tables.ts'

/** Marks a locked deleted record, and deleted records of a deleted tenant, as permanently deleted. A worker deletes their rows. */
export async function markPurged(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    update deletions set kept_until = null
    where (root_id = ${id} or record ->> 'tenant_id' = ${id}) and is_root and kept_until is not null`.execute(trx)
}
