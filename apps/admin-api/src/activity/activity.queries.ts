import {
  activityList,
  type AuditListQuery,
  type AuditRecord,
  type AuditRow,
  auditRow,
} from '@switchboard/contract/activity'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { rotateApiKey } from '@switchboard/contract/api-keys'
import { TOTAL_EXACT_MAX } from '@switchboard/contract/wire/lists'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type ExpressionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { filtersOf, upToMax } from '#src/lists/counters.queries.ts'
import { countOf, type Page, readPage } from '#src/lists/page.queries.ts'
import { contains, isSearch, searchTerm } from '#src/lists/search.queries.ts'
import { whenSet } from '#src/lists/when-set.ts'

const COLUMNS = z.keyof(z.omit(auditRow, { tenant_name: true, changed: true })).options

/** Terms that may begin an IP address or a request id. */
const IS_ADDRESS = /^[\da-f.:]{3,}$/i
const IS_ID = /^[\da-f-]{4,}$/i

const DAY_MS = 24 * 60 * 60 * 1_000

export async function pageOfAudit(
  db: Kysely<Database>,
  query: AuditListQuery & { limit: number },
): Promise<Page<AuditRow>> {
  return await readPage(
    db,
    matchingRows(db, query).select(changed),
    { ...query, sort: query.sort ?? activityList.defaultSort },
    { key: 'seq', total: totalOf(db, query), isCollected: isSearch(query.q) },
  )
}

/** The number of rows of a tenant, a rotation as one row: at most `TOTAL_EXACT_MAX + 1`. */
export async function countRowsOf(db: Kysely<Database>, tenantId: string): Promise<number> {
  const total = countOf(matchingRows(db, { tenant_id: tenantId, fold: 'true' }))
  const { count } = await db.selectNoFrom(total.as('count')).executeTakeFirstOrThrow()
  return count
}

/** The number of all rows: the chain numbers its rows without gaps, from the archived rows to its end. */
const ALL_ROWS = sql<number>`(select seq - coalesce((select max(last_seq) from audit_archives), 0) from audit_head)`

/** Filters with an index that counts their rows without reading the table. */
const COUNTED = ['actor', 'action', 'target_type']

/** The number of matching rows, or undefined if the matching rows must be counted. */
function totalOf(db: Kysely<Database>, query: AuditListQuery): RawBuilder<number> | undefined {
  const unfolded = { ...query, fold: undefined }
  const isWhole = filtersOf(unfolded).size === 0
  if (!isFolded(query)) return isWhole ? upToMax(ALL_ROWS) : undefined
  const { actor, from, to } = query
  const [filter, ...others] = filtersOf({ ...unfolded, from: undefined, to: undefined }).keys()
  if ((filter !== undefined && !COUNTED.includes(filter)) || others.length > 0) return undefined
  // Count new-key rows separately (they have their own index) and subtract them, because a count without them would
  // read each row of the table. At most half of all rows are about new keys, so counting up to twice the maximum of a
  // total is enough.
  const most = sql.lit(TOTAL_EXACT_MAX + 1)
  const twice = sql.lit(2 * (TOTAL_EXACT_MAX + 1))
  const rows = isWhole ? ALL_ROWS : countOf(matchingRows(db, unfolded), twice)
  const newKeys = countOf(matchingRows(db, { actor, from, to }).where(isOfNewKey))
  // Materialized, because PostgreSQL would count once for each mention.
  return sql<number>`(
    with rows as materialized (select ${rows} as count)
    select case when rows.count < ${twice} then ${upToMax(sql`rows.count - ${newKeys}`)} else ${most} end from rows
  )`
}

/** The row of the new key of a rotation. The index `audit_log_of_new_keys` has the same condition. */
const isOfNewKey = sql<boolean>`(
  action = ${sql.lit(rotateApiKey.schema.operationId)} and outcome = 'done' and changes ? 'rotated_from'
)`

/** Whether `fold` leaves out rows: the other filters must allow rows of new keys. */
function isFolded({ fold, actor, action, target_type, outcome }: FiltersOf<AuditListQuery>): boolean {
  return (
    fold !== undefined &&
    (actor === undefined || isId(actor)) &&
    (action === undefined || action === rotateApiKey.schema.operationId) &&
    (target_type === undefined || target_type === 'api_key') &&
    outcome !== 'refused'
  )
}

/** The matching rows, unsorted. */
export function matchingAuditRows(db: Kysely<Database>, query: FiltersOf<AuditListQuery>) {
  return matchingRows(db, query).select(changed)
}

/** The matching rows with the changes as JSON text and the hash, unsorted. */
export function exportedAuditRows(db: Kysely<Database>, query: FiltersOf<AuditListQuery>) {
  return matchingRows(db, query)
    .select(sql<string>`changes::text`.as('changes'))
    .select(hash)
}

/** One entry with its changes. */
export async function auditRecord(db: Kysely<Database>, seq: number): Promise<AuditRecord | undefined> {
  return await rowsOf(db)
    .select(['changes', changed, hash, sql<string>`encode(prev_hash, 'hex')`.as('prev_hash')])
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/**
 * The changes of a row in the list: the field names, and the new value of each switch. Inline, because PostgreSQL
 * called a function once per row, which took as long as the rest of the page.
 */
const changed = sql<AuditRow['changed']>`coalesce(
  (select jsonb_object_agg(key, case when jsonb_typeof(value -> 'after') = 'boolean' then value -> 'after' end)
   from jsonb_each(changes)), '{}')`.as('changed')
const hash = sql<string>`encode(hash, 'hex')`.as('hash')

/** Filters days by time, because every index has the time; position and time differ by moments only. */
function matchingRows(db: Kysely<Database>, query: FiltersOf<AuditListQuery>) {
  const { q, actor, action, target_type, target_id, tenant_id, outcome, from, to } = query
  return (
    rowsOf(db)
      .$call(whenSet(searchTerm(q), (rows, term) => rows.where(isFound(term))))
      .$call(whenSet(actor, (rows, value) => rows.where((row) => isBy(row, value))))
      .$call(whenSet(action, (rows, value) => rows.where('action', '=', value)))
      .$call(whenSet(target_type, (rows, value) => rows.where('target_type', '=', value)))
      .$call(whenSet(target_id, (rows, value) => rows.where('target_id', '=', value)))
      .$call(whenSet(tenant_id, (rows, value) => rows.where('tenant_id', '=', value)))
      // A literal instead of a parameter, so that the partial indexes of refusals apply.
      .$call(whenSet(outcome, (rows, value) => rows.where('outcome', '=', sql.lit(value))))
      .$call(whenSet(from, (rows, day) => rows.where('at', '>=', `${day}T00:00:00.000Z`)))
      .$call(whenSet(to, (rows, day) => rows.where('at', '<', dayAfter(day))))
      .$if(isFolded(query), (rows) => rows.where(sql<boolean>`not ${isOfNewKey}`))
  )
}

/** The expression of the index `audit_log_search`. */
const SEARCHED = sql`(
  (
    ' ' || lower(coalesce(target_name, '') collate "und-x-icu")
    || E'\\n ' || lower(coalesce(actor_email, '') collate "und-x-icu")
    || E'\\n ' || lower(coalesce(reason, '') collate "und-x-icu")
  ) collate "default"
)`

/** Texts match anywhere, network addresses and request ids at their beginning. */
function isFound(term: string) {
  const text = term.trim()
  const begins = (column: string) => sql`${sql.ref(column)} like ${`${text.toLowerCase()}%`}`
  return sql<boolean>`(${sql.join(
    [
      contains(text, SEARCHED),
      ...(IS_ADDRESS.test(text) ? [begins('address')] : []),
      ...(IS_ID.test(text) ? [begins('request_id')] : []),
    ],
    sql` or `,
  )})`
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString()
}

function rowsOf(db: Kysely<Database>) {
  return db.selectFrom('audit_log').select(COLUMNS).select(tenantName)
}

/** By id for actions with a session, by typed address for actions without one. */
function isBy(row: ExpressionBuilder<Database, 'audit_log'>, actor: string) {
  if (isId(actor)) return row('actor_id', '=', actor)
  return row.and([row('actor_id', 'is', null), sql<boolean>`lower(actor_email) = lower(${foldEmail(actor)})`])
}

function isId(actor: string): boolean {
  return z.uuid().safeParse(actor).success
}

/** Current or last name of the tenant. Looked up for the rows of the page only. */
function tenantName(row: ExpressionBuilder<Database, 'audit_log'>) {
  const now = row.selectFrom('tenants').select('tenants.name').whereRef('tenants.id', '=', 'audit_log.tenant_id')
  const last = row
    .selectFrom('audit_log as about')
    .select('about.target_name')
    .whereRef('about.target_id', '=', 'audit_log.tenant_id')
    .where('about.target_name', 'is not', null)
    .orderBy('about.at', 'desc')
    .orderBy('about.seq', 'desc')
    .limit(1)
  return row.fn.coalesce(now, last).as('tenant_name')
}
