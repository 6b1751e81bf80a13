import { getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { tenantList } from '@switchboard/contract/tenants'
import { userList } from '@switchboard/contract/users'
import { makeManyTenants, makeManyUsers } from '@switchboard/testing/factories'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { amount, type Figure } from '#scripts/bench/measure.ts'
import { benchList, cursorAt } from './list.ts'

/** Users per tenant, and the minimum number of tenants. */
const USERS_PER_TENANT = 1_000
const TENANTS_MIN = 10

/** Pages, searches and analytics of tenants and of users, at 1,000 and at 1,000,000 rows. */
export async function benchLists(): Promise<Figure[]> {
  return [...(await benchTenants()), ...(await benchUsers())]
}

async function benchTenants(): Promise<Figure[]> {
  const { figures, p50 } = await benchList({
    noun: 'tenants',
    url: tenantList.list.url,
    analyticsUrl: getTenantAnalytics.url,
    slow: ['common substring'],
    fill: async (db, count) => {
      await withoutIndexes(db, ['tenants'], (trx) => makeManyTenants(trx, count))
    },
    pages: async (db, count) => ({
      'first page': 'sort=name',
      'deep page': `sort=name&cursor=${await cursorAt(db, 'tenants', 'name', Math.floor(count / 2))}`,
      'rare substring': `sort=name&q=-${count - 1}`,
      'common substring': 'sort=name&q=bakery',
    }),
  })
  const common = p50('common substring', 'http')
  return [...figures, amount('tenants at 1,000,000, substring that 100,000 have: over HTTP, p50', common, 'ms', 500)]
}

async function benchUsers(): Promise<Figure[]> {
  const { figures } = await benchList({
    noun: 'users',
    url: userList.list.url,
    analyticsUrl: getUserAnalytics.url,
    fill: async (db, count) => {
      await withoutIndexes(db, ['tenants', 'users'], async (trx) => {
        await makeManyTenants(trx, Math.max(TENANTS_MIN, count / USERS_PER_TENANT))
        await makeManyUsers(trx, count)
      })
    },
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
  return figures
}
