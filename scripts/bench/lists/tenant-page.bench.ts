import { activityList } from '@switchboard/contract/activity'
import { apiKeyList } from '@switchboard/contract/api-keys/key-list'
import { getTenantCalls } from '@switchboard/contract/api-keys/tenant-calls'
import { getAttention } from '@switchboard/contract/dashboard'
import { getRatingHistory } from '@switchboard/contract/reviews/rating-history'
import { reviewList } from '@switchboard/contract/reviews/review-list'
import { taskList } from '@switchboard/contract/tasks'
import { getTenant } from '@switchboard/contract/tenants'
import { getTenantHealth } from '@switchboard/contract/tenants/tenant-health'
import { listTenantNotes } from '@switchboard/contract/tenants/tenant-notes'
import { userList } from '@switchboard/contract/users'
import type { Database } from '@switchboard/database/tables'
import { makeManyApiKeys, makeTask, makeTenant, makeUser } from '@switchboard/testing/factories'
import { type Kysely, sql } from 'kysely'
import { benchCalls } from './list.ts'
import { type Figure, ratio } from '#scripts/bench/measure.ts'
import { fillWorld } from '#scripts/bench/million/million-world.ts'

/** Records of the measured tenant, in both worlds. */
const KEYS = 10
const USERS = 20

/** The calls of the page of a tenant, with 1,000 and with 1,000,000 other tenants. */
export async function benchTenantPage(): Promise<Figure[]> {
  const { p50, p50AtSmall, p99, p99AtSmall } = await benchCalls({ fill: fillWithOneBusyTenant, calls: callsOfPage })
  return CALLS.flatMap((call) => [
    ratio(`page of a tenant, ${call}: p50 over HTTP, 1,000,000 / 1,000`, p50(call, 'http'), p50AtSmall(call), 2),
    ratio(`page of a tenant, ${call}: p99 over HTTP, 1,000,000 / 1,000`, p99(call), p99AtSmall(call), 2),
  ])
}

const CALLS = [
  'tenant',
  'health',
  'calls',
  'attention',
  'ratings',
  'notes',
  'users',
  'keys',
  'tasks',
  'reviews',
  'activity',
]

async function callsOfPage(db: Kysely<Database>): Promise<Record<string, string>> {
  const { id } = await db.selectFrom('tenants').select('id').where('subdomain', '=', BUSY).executeTakeFirstOrThrow()
  const pageOf = (url: string) => `${url}?limit=50&tenant_id=${id}`
  return {
    tenant: getTenant.url.replace(':id', id),
    health: getTenantHealth.url.replace(':id', id),
    calls: getTenantCalls.url.replace(':id', id),
    attention: `${getAttention.url}?tenant_id=${id}`,
    ratings: getRatingHistory.url.replace(':id', id),
    notes: listTenantNotes.url.replace(':id', id),
    users: pageOf(userList.list.url),
    keys: `${pageOf(apiKeyList.list.url)}&fold=true`,
    tasks: pageOf(taskList.list.url),
    reviews: pageOf(reviewList.list.url),
    activity: `${pageOf(activityList.list.url)}&fold=true`,
  }
}

const BUSY = 'busy'

/** `count` tenants with their records, and one tenant with users, keys, a month of calls, a task and activity. */
async function fillWithOneBusyTenant(db: Kysely<Database>, count: number): Promise<void> {
  await fillWorld(db, count)
  const { id } = await makeTenant(db, { subdomain: BUSY })
  for (let n = 0; n < USERS; n += 1) await makeUser(db, { tenant_id: id, role: 'admin' })
  await makeManyApiKeys(db, KEYS, id)
  await makeTask(db, {
    tenant_id: id,
    last_run: sql<Date>`now()`,
    pulled_place: '{"rating": 4.6, "user_rating_count": 312}',
  })
  await sql`
    insert into reviews (task_id, name, rank, rating, text, first_seen_at, last_seen_at, last_changed_at)
    select id, 'places/ChIJ/reviews/' || id || n, n, n, 'Kind and quick.', now(), now(), now()
    from tasks cross join generate_series(1, 5) as n`.execute(db)
  await sql`
    insert into place_ratings (task_id, day, rating, user_rating_count)
    select id, current_date - ago, 4.6, 312 - ago from tasks cross join generate_series(0, 2) as ago`.execute(db)
  await sql`
    insert into tenant_notes (tenant_id, text, author_id, author_email)
    select id, 'Pays on the 30th', gen_random_uuid(), 'ada@example.com' from tenants where id = ${id} or random() < 0.1`.execute(
    db,
  )
  await sql`
    insert into api_key_outcomes (api_key_id, day, outcome, count, last_at)
    select id, current_date - ago, 'valid', 10 + ago, now() - ago * interval '1 day'
    from api_keys cross join generate_series(0, 29) as ago where tenant_id = ${id}`.execute(db)
  await sql`
    insert into api_key_hours (api_key_id, hour, outcome, count)
    select id, date_trunc('hour', now()) - ago * interval '1 hour', 'valid', 1 + ago
    from api_keys cross join generate_series(0, 23) as ago where tenant_id = ${id}`.execute(db)
}
