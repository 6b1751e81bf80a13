import type { Database } from '@switchboard/database/tables'
import type { Transaction } from 'kysely'

export async function lockConsoleAccount(trx: Transaction<Database>, id: string) {
  return await trx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .where('is_active', '=', true)
    .where('may_use_password', '=', true)
    .where('tenant_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}
