import {
  activityList,
  type AuditListQuery,
  type AuditRecord,
  type AuditRow,
  auditRow,
} from '@switchboard/contract/activity'
import { foldEmail } from '@switchboard/contract/auth/email-address'
import { rotateApiKey } from '@switchboard/contract/api-keys'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { filtersOf, upToMax } from '#src/lists/counters.queries.ts'
import { contains, isSearch, searchTerm, whenSet } from '#src/lists/filters.queries.ts'
import { countOf } from '#src/lists/page.queries.ts'
import { orderOf } from '#src/lists/rows.queries.ts'

type AuditFilters = FiltersOf<AuditListQuery>

const COLUMNS = z.keyof(z.omit(auditRow, { actor_name: true, tenant_name: true, changed: true })).options

/** Terms that may begin an IP address or a request id. */
const IS_ADDRESS = /^[\da-f.:]{3,}$/i
const IS_ID = /^[\da-f-]{4,}$/i

const DAY_MS = 24 * 60 * 60 * 1_000

/** The audit log as a list. */
export const listedAuditRows = {
  matching: matchingAuditRows,
  order: ({ sort }: AuditFilters) => orderOf(sort ?? activityList.defaultSort, 'seq'),
  total: (query: AuditListQuery) => (filtersOf(query).size === 0 ? upToMax(ALL_ROWS) : undefined),
  isCollected: ({ q }: AuditListQuery) => isSearch(q),
}

/** The rows of the file, with the changes as JSON text and the hash. */
export const exportedAuditRows = {
  order: listedAuditRows.order,
  matching: (db: Kysely<Database>, query: AuditFilters) =>
    matchingRows(db, query)
      .select(sql<string>`changes::text`.as('changes'))
      .select(hash),
}

/** The number of rows of a tenant, a rotation as one row: at most `TOTAL_EXACT_MAX + 1`. */
export async function countRowsOf(db: Kysely<Database>, tenantId: string): Promise<number> {
  const total = countOf(matchingRows(db, { tenant_id: tenantId, fold: 'true' }))
  const { count } = await db.selectNoFrom(total.as('count')).executeTakeFirstOrThrow()
  return count
}

/** The number of all rows: the chain numbers its rows without gaps, from the deleted rows to its end. */
const ALL_ROWS = sql<number>`(select seq - coalesce((select max(last_seq) from audit_deleted_months), 0) from audit_head)`

/** The row of the new key of a rotation. */
const isOfNewKey = sql<boolean>`(
  action = ${sql.lit(rotateApiKey.schema.operationId)} and outcome = 'done' and changes ? 'rotated_from'
)`

/** The matching rows, unsorted. */
export function matchingAuditRows(db: Kysely<Database>, query: AuditFilters) {
  return matchingRows(db, query).select(changed)
}

/** One entry with its changes. */
export async function auditRecord(db: Kysely<Database>, seq: number): Promise<AuditRecord | undefined> {
  return await rowsOf(db)
    .select(['changes', changed, hash, sql<string>`encode(prev_hash, 'hex')`.as('prev_hash')])
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/**
 * The changes of a row in the list: the field names, and the new value of each switch and status. Inline, because PostgreSQL
 * called a function once per row, which took as long as the rest of the page.
 */
const changed = sql<AuditRow['changed']>`coalesce(
  (select jsonb_object_agg(key, case when jsonb_typeof(value -> 'after') = 'boolean' or key = 'status' then value -> 'after' end)
   from jsonb_each(changes)), '{}')`.as('changed')
const hash = sql<string>`encode(hash, 'hex')`.as('hash')

/** Filters days by time, because every index has the time; position and time differ only by moments. */
function matchingRows(db: Kysely<Database>, query: AuditFilters) {
  const { q, actor, action, target_type, target_id, tenant_id, outcome, from, to, fold } = query
  return (
    rowsOf(db)
      .$call(whenSet(searchTerm(q), (rows, term) => rows.where(isFound(term))))
      .$call(whenSet(actor, (rows, value) => rows.where((row) => isBy(row, value))))
      .$call(whenSet(action, (rows, value) => rows.where('action', '=', value)))
      .$call(whenSet(target_type, (rows, value) => rows.where('target_type', 'in', value)))
      .$call(whenSet(target_id, (rows, value) => rows.where('target_id', '=', value)))
      .$call(whenSet(tenant_id, (rows, value) => rows.where('tenant_id', '=', value)))
      // Literals instead of parameters, so that the partial indexes of refusals apply.
      .$call(
        whenSet(outcome, (rows, values) =>
          rows.where(
            'outcome',
            'in',
            values.map((value) => sql.lit(value)),
          ),
        ),
      )
      .$call(whenSet(from, (rows, day) => rows.where('at', '>=', `${day}T00:00:00.000Z`)))
      .$call(whenSet(to, (rows, day) => rows.where('at', '<', dayAfter(day))))
      .$if(fold !== undefined, (rows) => rows.where(sql<boolean>`not ${isOfNewKey}`))
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
  return db.selectFrom('audit_log').select(COLUMNS).select([actorName, tenantName])
}

/** By id for actions with a session, by typed address for actions without one. */
function isBy(row: ExpressionBuilder<Database, 'audit_log'>, actor: string) {
  if (isId(actor)) return row('actor_id', '=', actor)
  return row.and([row('actor_id', 'is', null), sql<boolean>`lower(actor_email) = lower(${foldEmail(actor)})`])
}

function isId(actor: string): boolean {
  return z.uuid().safeParse(actor).success
}

function actorName(row: ExpressionBuilder<Database, 'audit_log'>) {
  return row.selectFrom('users').select('users.name').whereRef('users.id', '=', 'audit_log.actor_id').as('actor_name')
}

/** Current or last name of the tenant. Looked up only for the rows of the page. */
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
