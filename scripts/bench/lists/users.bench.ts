import { userList } from '@switchboard/contract/users'
import { makeManyUsers, makeManyTenants } from '@switchboard/testing/factories'
import type { Database } from '@switchboard/database/tables'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import type { Kysely } from 'kysely'
import { benchList, cursorAt } from './list.ts'
import { amount, type Figure } from '#scripts/bench/measure.ts'

/** Users per tenant, and the least number of tenants. */
const USERS_PER_TENANT = 1_000
const TENANTS_MIN = 10

/** A page of users at 1,000 and at 1,000,000 users. */
export async function benchUsers(): Promise<Figure[]> {
  const { figuresOf, deepFigure, p50 } = await benchList({
    noun: 'users',
    url: userList.list.url,
    fill: fillWithUsers,
    pages: async (db, count) => {
      const tenant = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirstOrThrow()
      return {
        'first page': 'sort=email',
        'deep page': `sort=email&cursor=${await cursorAt(db, 'users', 'email', Math.floor(count / 2))}`,
        'rare substring': `sort=email&q=.${count - 1}@`,
        'role and status by email': 'sort=email&role=manager&is_active=false',
        'one tenant': `sort=email&tenant_id=${tenant.id}`,
      }
    },
  })
  return [
    ...['first page', 'deep page', 'rare substring', 'role and status by email', 'one tenant'].flatMap(figuresOf),
    deepFigure,
    amount('users at 1,000,000, rare substring: in the server, p50', p50('rare substring', 'byHand'), 'ms', 5),
  ]
}

/** `count` users, and their tenants. */
export async function fillWithUsers(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants', 'users'], async (trx) => {
    await makeManyTenants(trx, Math.max(TENANTS_MIN, count / USERS_PER_TENANT))
    await makeManyUsers(trx, count)
  })
}
