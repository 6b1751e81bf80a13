import { makeAuditLog } from '@switchboard/testing/audit-log-factory'
import {
  makeUser,
  makeManyUsers,
  makeManyApiKeys,
  makeManyTasks,
  makeManyTenants,
} from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { type Kysely, sql } from 'kysely'
import { markTasks } from '#scripts/bench/lists/task-lists.bench.ts'

const SUPER_ADMINS = 20

/** Fills an empty database: `count` tenants, admins and audit rows, a fifth as many keys and a tenth as many tasks. */
export async function fillWorld(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants', 'users', 'api_keys', 'tasks'], async (trx) => {
    await makeManyTenants(trx, count)
    await makeManyUsers(trx, count)
    await makeManyApiKeys(trx, count / 5)
    await makeManyTasks(trx, count / 10)
    await markTasks(trx)
  })
  for (let n = 0; n < SUPER_ADMINS; n += 1) await makeUser(db)
  await makeAuditLog(db, count)
  await sql`vacuum analyze`.execute(db)
}
