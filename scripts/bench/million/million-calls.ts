import { getAttention, getTenantAnalytics, getUserAnalytics } from '@switchboard/contract/dashboard'
import { listApiKeys } from '@switchboard/contract/api-keys'
import { activityList } from '@switchboard/contract/activity'
import { search } from '@switchboard/contract/palette'
import { taskList } from '@switchboard/contract/tasks'
import { TASK_STATES } from '@switchboard/contract/tasks/task-state'
import { userList } from '@switchboard/contract/users'
import { tenantAttention, tenantList } from '@switchboard/contract/tenants'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql } from 'kysely'
import { encodeCursor } from '#apps/admin-api/src/lists/cursor.ts'
import { cursorAt } from '#scripts/bench/lists/list.ts'

/** A request of a screen: a GET, or a POST with a body. A search of a list has a figure of its own. */
export type ScreenCall = { path: string; body?: string; isSearch?: boolean }

type Queries = Record<string, string>

/**
 * All calls of the screens for a world of `count` rows, by name: every list in every order, deep, searched and
 * filtered, the dashboard, the palette.
 */
export async function screenCalls(db: Kysely<Database>, count: number): Promise<Record<string, ScreenCall>> {
  const rare = rareNumber(count)
  const key = await db
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    ...listPages('tenants', tenantList.list.url, await tenantQueries(db, count)),
    ...listPages('users', userList.list.url, await userQueries(db, count, key.tenant_id)),
    'keys of a tenant': { path: listApiKeys.url.replace(':tenant_id', key.tenant_id) },
    ...listPages('tasks', taskList.list.url, await taskQueries(db, count / 10)),
    ...listPages('activity', activityList.list.url, await activityQueries(db, count)),
    'analytics of users': { path: getUserAnalytics.url },
    'analytics of tenants': { path: getTenantAnalytics.url },
    'records that need attention': { path: getAttention.url },
    ...paletteSearches({
      'rare word': rare,
      'part of an address': `.${rare}@`,
      'common word': 'bakery',
      'common part of an address': '.example',
      'two letters': 'ba',
      'no match': 'zzyzx',
      'pasted id': key.id,
      'beginning of an id': key.id.slice(0, 8),
      'pasted mask': `${key.key_prefix}${key.key_start}…${key.key_last4}`,
    }),
  }
}

/** A number in the name of one row and of few others. */
function rareNumber(count: number): string {
  return String(Math.floor(count * 0.637219))
}

function listPages(noun: string, url: string, queries: Queries): Record<string, ScreenCall> {
  return Object.fromEntries(
    Object.entries(queries).map(([page, query]) => [
      `${noun}, ${page}`,
      { path: `${url}?limit=50&${query}`, isSearch: /\bq=/.test(query) },
    ]),
  )
}

function paletteSearches(terms: Record<string, string>): Record<string, ScreenCall> {
  return Object.fromEntries(
    Object.entries(terms).map(([name, q]) => [`palette, ${name}`, { path: search.url, body: JSON.stringify({ q }) }]),
  )
}

/** SQL for the sorts that are not columns. */
const SORT_VALUES = new Map([['last_sign_in', sql`coalesce(last_sign_in_at, '1970-01-01T00:00:00Z'::timestamptz)`]])

/** The first page of each order, and a page from the middle. */
async function sorted(
  db: Kysely<Database>,
  table: 'tenants' | 'users' | 'tasks',
  sorts: readonly string[],
  count: number,
): Promise<Queries> {
  const queries: Queries = {}
  for (const sort of sorts) {
    queries[`by ${sort}`] = `sort=${sort}`
    const value = SORT_VALUES.get(sort.replace(/^-/, ''))
    const cursor = await cursorAt(db, table, sort, Math.floor(count / 2), value === undefined ? {} : { value })
    queries[`by ${sort}, deep`] = `sort=${sort}&cursor=${cursor}`
  }
  return queries
}

async function tenantQueries(db: Kysely<Database>, count: number): Promise<Queries> {
  return {
    ...(await sorted(db, 'tenants', tenantList.sorts, count)),
    'rare word': `sort=name&q=-${rareNumber(count)}`,
    'common word': 'sort=name&q=bakery',
    // All matches are at the end of this order.
    'last word': 'sort=name&q=juniper',
    'two letters': 'sort=name&q=ba',
    inactive: 'sort=name&status=inactive',
    services: 'sort=name&tenant_type=service',
    'inactive services': 'sort=name&status=inactive&tenant_type=service',
    'common word, inactive': 'sort=name&q=bakery&status=inactive',
    ...Object.fromEntries(tenantAttention.options.map((attention) => [attention, `attention=${attention}`])),
  }
}

async function userQueries(db: Kysely<Database>, count: number, tenantId: string): Promise<Queries> {
  return {
    ...(await sorted(db, 'users', userList.sorts, count)),
    'rare word': `sort=email&q=.${rareNumber(count)}@`,
    'common word': 'sort=email&q=office',
    'last word': 'sort=email&q=jonas',
    managers: 'sort=email&role=manager',
    inactive: 'sort=email&is_active=false',
    'inactive managers': 'sort=email&role=manager&is_active=false',
    'one tenant': `tenant_id=${tenantId}`,
  }
}

async function taskQueries(db: Kysely<Database>, count: number): Promise<Queries> {
  const { tenant_id, extra_data } = await db
    .selectFrom('tasks')
    .select(['tenant_id', 'extra_data'])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow()
  return {
    ...(await sorted(db, 'tasks', taskList.sorts, count)),
    // Ten digits of a single place id.
    'rare word': `q=${extra_data.place_id.slice(10, 20)}`,
    'common word': 'sort=tenant_name&q=bakery',
    daily: 'frequency=daily',
    'one tenant': `tenant_id=${tenant_id}`,
    ...Object.fromEntries(TASK_STATES.map((state) => [state, `state=${state}`])),
  }
}

async function activityQueries(db: Kysely<Database>, count: number): Promise<Queries> {
  const row = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'target_id', 'tenant_id', sql<string>`to_char(at, 'YYYY-MM-DD')`.as('day'), 'at', 'seq'])
    .where('target_type', '=', 'api_key')
    .where('seq', '>=', Math.floor(count / 2))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirstOrThrow()
  const deep = (sort: string) =>
    `sort=${sort}&cursor=${encodeCursor({ sort, value: row.at, id: row.seq, back: false, start: Math.floor(count / 2) })}`
  return {
    ...Object.fromEntries(activityList.sorts.map((sort) => [`by ${sort}`, `sort=${sort}`])),
    ...Object.fromEntries(activityList.sorts.map((sort) => [`by ${sort}, deep`, deep(sort)])),
    'one actor': `actor=${row.actor_id}`,
    action: 'action=tenants.update',
    kind: 'target_type=api_key',
    'one target': `target_type=api_key&target_id=${row.target_id}`,
    'one tenant': `tenant_id=${row.tenant_id}`,
    refused: 'outcome=refused',
    'actor and action': `actor=${row.actor_id}&action=prompts.save`,
    'actor, refused': `actor=${row.actor_id}&outcome=refused`,
    'one day': `from=${row.day}&to=${row.day}`,
  }
}
