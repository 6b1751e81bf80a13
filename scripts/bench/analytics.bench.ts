import { getAttention, getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { makeManyTasks } from '@switchboard/testing/factories'
import { benchCalls } from './list.ts'
import { amount, type Figure, ratio } from './measure.ts'
import { fillWithTenants } from './tenants.bench.ts'
import { fillWithUsers } from './users.bench.ts'

/** Tenants per task: 100,000 tasks at 1,000,000 tenants. */
const TENANTS_PER_TASK = 10

/** The calls of the dashboard at 1,000 and at 1,000,000 users, and as many tenants, none with an active admin. */
export async function benchAnalytics(): Promise<Figure[]> {
  const users = await benchCalls({
    isPrepared: true,
    fill: fillWithUsers,
    calls: async () => ({ users: getUserAnalytics.url }),
  })
  const tenants = await benchCalls({
    isPrepared: true,
    fill: async (db, count) => {
      await fillWithTenants(db, count)
      await makeManyTasks(db, count / TENANTS_PER_TASK)
    },
    calls: async () => ({ tenants: getTenantAnalytics.url, attention: getAttention.url }),
  })
  return [
    ['users', users, 2] as const,
    ['tenants', tenants, 2] as const,
    // Read from indexes, without counters.
    ['attention', tenants, 10] as const,
  ].flatMap(([call, { p50, p99, p99AtSmall }, mostMs]) => [
    amount(`analytics of ${call} at 1,000,000: in the server, p50`, p50(call, 'byHand'), 'ms', mostMs),
    ratio(`analytics of ${call}: p99 over HTTP, 1,000,000 / 1,000`, p99(call), p99AtSmall(call), 2),
  ])
}
