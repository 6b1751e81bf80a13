import { getApiKeyDiagnosis } from '@switchboard/contract/api-keys/key-diagnosis'
import { getAttention, getTenantAnalytics, getTrends, getUserAnalytics } from '@switchboard/contract/dashboard'
import { dayOf } from '@switchboard/contract/wire/days'
import { lastDays, TREND_DAYS_MAX } from '@switchboard/contract/dashboard/trends'
import type { Database } from '@switchboard/database/tables'
import { makeManyApiKeys, makeManyTasks, makeManyTenants, makeManyUsers } from '@switchboard/testing/factories'
import { withoutIndexes } from '@switchboard/testing/without-indexes'
import { type Kysely, sql } from 'kysely'
import { benchCalls } from './list.ts'
import { amount, type Figure, ratio } from '#scripts/bench/measure.ts'
import { fillWithTenants } from './tenants.bench.ts'
import { fillWithUsers } from './users.bench.ts'

/** Tenants per task: 100,000 tasks at 1,000,000 tenants. */
const TENANTS_PER_TASK = 10
/** Tenants per key: 1,000 keys, with some 1,500,000 rows of calls, at 1,000,000 tenants. */
const TENANTS_PER_KEY = 1_000

/** The calls of the dashboard and the diagnosis of a key, at 1,000 and at 1,000,000 rows. */
export async function benchAnalytics(): Promise<Figure[]> {
  const users = await benchCalls({
    isPrepared: true,
    fill: fillWithUsers,
    calls: async () => ({ users: getUserAnalytics.url }),
  })
  // None of the tenants has an active admin.
  const tenants = await benchCalls({
    isPrepared: true,
    fill: async (db, count) => {
      await fillWithTenants(db, count)
      await makeManyTasks(db, count / TENANTS_PER_TASK)
    },
    calls: async () => ({ tenants: getTenantAnalytics.url, attention: getAttention.url }),
  })
  const days = await benchCalls({
    isPrepared: true,
    fill: fillWithDays,
    calls: async (db) => ({ trends: longestTrends(), diagnosis: await diagnosisOfAnyKey(db) }),
  })
  return [
    ['analytics of users', 'users', users, 2] as const,
    ['analytics of tenants', 'tenants', tenants, 2] as const,
    // Read from indexes, without counters.
    ['records that need attention', 'attention', tenants, 10] as const,
    [`trends of ${TREND_DAYS_MAX} days`, 'trends', days, 50] as const,
    ['diagnosis of a key', 'diagnosis', days, 50] as const,
  ].flatMap(([what, call, { p50, p99, p99AtSmall }, mostMs]) => [
    amount(`${what} at 1,000,000: in the server, p50`, p50(call, 'byHand'), 'ms', mostMs),
    ratio(`${what}: p99 over HTTP, 1,000,000 / 1,000`, p99(call), p99AtSmall(call), 2),
  ])
}

/** `count` tenants and users, and keys with calls on every day of the longest trends and of the period before. */
async function fillWithDays(db: Kysely<Database>, count: number): Promise<void> {
  await withoutIndexes(db, ['tenants', 'users', 'api_keys', 'api_key_outcomes', 'api_key_hours'], async (trx) => {
    await makeManyTenants(trx, count)
    await makeManyUsers(trx, count)
    await makeManyApiKeys(trx, count / TENANTS_PER_KEY)
    await sql`
      insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
      select id, current_date - ago, outcome, 10 + ago, now() - ago * interval '1 day'
      from api_keys cross join generate_series(0, ${sql.lit(2 * TREND_DAYS_MAX - 1)}) as ago
      cross join (values ('valid'), ('origin_refused')) as outcomes (outcome)`.execute(trx)
    await sql`
      insert into api_key_hours (api_key_id, hour, outcome, count)
      select id, date_trunc('hour', now()) - ago * interval '1 hour', outcome, 1 + ago
      from api_keys cross join generate_series(0, 47) as ago
      cross join (values ('valid'), ('origin_refused')) as outcomes (outcome)`.execute(trx)
    await sql`
      insert into api_key_refused_origins (api_key_id, origin, count, last_at)
      select id, 'https://' || n || '.example', n, now() - n * interval '1 minute'
      from api_keys cross join generate_series(1, 10) as n`.execute(trx)
  })
}

function longestTrends(): string {
  const { from, to } = lastDays(dayOf(Date.now()), TREND_DAYS_MAX)
  return `${getTrends.url}?from=${from}&to=${to}`
}

async function diagnosisOfAnyKey(db: Kysely<Database>): Promise<string> {
  const { id } = await db.selectFrom('api_keys').select('id').orderBy('created_at').limit(1).executeTakeFirstOrThrow()
  return getApiKeyDiagnosis.url.replace(':key_id', id)
}
