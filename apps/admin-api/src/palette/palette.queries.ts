import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { KeyMask } from '@switchboard/contract/api-keys/key-format'
import {
  type ActivityResult,
  apiKeyResult,
  noteResult,
  promptVersionResult,
  RESULTS_COUNTED_MAX,
  RESULTS_PER_KIND_MAX,
  taskResult,
  taskRunResult,
} from '@switchboard/contract/palette'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { matchingAuditRows } from '#src/activity/activity.queries.ts'
import { unfinishedRun } from '#src/tasks/task-state.queries.ts'
import type { Found } from './best-matches.queries.ts'

// Tenants, tasks and templates of a row are looked up for the returned rows only; a join would cover all matches.

export function searchedTenants(db: Kysely<Database>) {
  return db.selectFrom('tenants').select(['id', 'name', 'subdomain', 'status'])
}

export function isExactTenant(term: string) {
  return sql<SqlBool>`(subdomain = ${term.toLowerCase()} or name = ${term})`
}

export function searchedNotes(db: Kysely<Database>) {
  return db
    .selectFrom('tenant_notes')
    .select(z.keyof(z.omit(noteResult, { tenant_name: true })).options)
    .select(sql<string>`(select name from tenants where tenants.id = tenant_notes.tenant_id)`.as('tenant_name'))
}

export function isExactNote(term: string) {
  return sql<SqlBool>`text = ${term}`
}

export function searchedUsers(db: Kysely<Database>) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'is_active'])
    .select([
      sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'),
      sql<TenantStatus | null>`(select status from tenants where tenants.id = users.tenant_id)`.as('tenant_status'),
    ])
}

export function isExactUser(term: string) {
  return sql<SqlBool>`folded_email = ${foldEmail(term)}`
}

export function searchedApiKeys(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .select(z.keyof(z.omit(apiKeyResult, { tenant_status: true })).options)
    .select(sql<TenantStatus>`(select status from tenants where tenants.id = api_keys.tenant_id)`.as('tenant_status'))
    .where('deleted_at', 'is', null)
}

export function isExactApiKey(term: string) {
  return sql<SqlBool>`name = ${term}`
}

export async function apiKeysByMask(db: Kysely<Database>, { start, end }: KeyMask) {
  return await searchedApiKeys(db)
    .where((key) =>
      start === null
        ? key.or([key('key_last4', '=', end), sql<SqlBool>`right(id::text, 4) = ${end.toLowerCase()}`])
        : key.and([key('key_last4', '=', end), key('key_start', '=', start)]),
    )
    .limit(RESULTS_PER_KIND_MAX)
    .execute()
}

export function searchedTasks(db: Kysely<Database>) {
  return db
    .selectFrom('tasks')
    .select(z.keyof(z.omit(taskResult, { running_run_id: true, waiting_since: true, retry_at: true })).options)
    .select(unfinishedRun)
}

export function isExactTask(term: string) {
  return sql<SqlBool>`(
    lower(extra_data ->> 'place_name') = lower(${term}) or extra_data ->> 'place_id' = ${term} or tenant_name = ${term}
  )`
}

/** The places of all tasks, once per task. The expression of `search_text` has an index. */
export function searchedPlaces(db: Kysely<Database>) {
  const places = db
    .selectFrom('tasks')
    .select([
      sql<string>`extra_data ->> 'place_id'`.as('id'),
      sql<string | null>`extra_data ->> 'place_name'`.as('name'),
      sql<string | null>`extra_data ->> 'place_address'`.as('address'),
      sql<string>`(
        ' ' || lower(coalesce(extra_data ->> 'place_name', '') collate "und-x-icu")
        || E'\n ' || lower(extra_data ->> 'place_id')
      ) collate "default"`.as('search_text'),
    ])
    .as('places')
  const count = sql<number>`(select count(*) from tasks where tasks.extra_data ->> 'place_id' = places.id)`
  return db.selectFrom(places).select(['id', 'name', 'address', count.as('task_count')])
}

export function isExactPlace(term: string) {
  return sql<SqlBool>`(lower(name) = lower(${term}) or id = ${term})`
}

export function searchedRuns(db: Kysely<Database>) {
  return db
    .selectFrom('runs')
    .select(z.keyof(z.omit(taskRunResult, { tenant_name: true, place_name: true })).options)
    .select([
      sql<string>`(select tenant_name from tasks where tasks.id = runs.task_id)`.as('tenant_name'),
      sql<string | null>`(select extra_data ->> 'place_name' from tasks where tasks.id = runs.task_id)`.as(
        'place_name',
      ),
    ])
}

const OF_TEMPLATE = { prompt_type: true, is_live: true, tenant_id: true, tenant_name: true } as const

/** Every saved version of every template. The expression of `search_text` has an index. */
export function searchedPromptVersions(db: Kysely<Database>) {
  const versions = db
    .selectFrom('prompt_versions')
    .select([
      'id',
      'template_id',
      'version',
      'note',
      'author_email',
      'created_at',
      sql<string>`(
        ' version ' || version::text
        || E'\n ' || lower(note collate "und-x-icu")
        || E'\n ' || lower(coalesce(author_email, 'Switchboard') collate "und-x-icu")
      ) collate "default"`.as('search_text'),
    ])
    .as('versions')
  return (
    db
      .selectFrom(versions)
      .select(z.keyof(z.omit(promptVersionResult, OF_TEMPLATE)).options)
      .select([
        sql<string>`(select prompt_type from prompt_templates where prompt_templates.id = template_id)`.as(
          'prompt_type',
        ),
        sql<string | null>`(select tenant_id from prompt_templates where prompt_templates.id = template_id)`.as(
          'tenant_id',
        ),
        sql<string | null>`(
        select name from prompt_templates join tenants on tenants.id = tenant_id where prompt_templates.id = template_id
      )`.as('tenant_name'),
        sql<boolean>`exists (
        select from prompt_templates as live where live.id = template_id and live.version = versions.version
      )`.as('is_live'),
      ])
      // Many tenants have a version 1: the base template comes first.
      .orderBy(sql`template_id in (select id from prompt_templates where tenant_id is null)`, 'desc')
      .orderBy('version', 'desc')
  )
}

/** "version 12" is also the beginning of "version 120". */
export function isExactPromptVersion({ text, number }: { text: string; number: string | null }) {
  return number === null
    ? sql<SqlBool>`lower(note) = lower(${text})`
    : sql<SqlBool>`search_text like ${`% version ${number}\n%`}`
}

/**
 * The newest rows of the audit log that match a filter. Few matches are sorted here; among many, the newest are close to the
 * end of the log.
 */
export async function newestActivity(
  db: Kysely<Database>,
  filter: { q: string } | { target_id: string },
): Promise<Found<ActivityResult>> {
  const matching = matchingAuditRows(db, 'q' in filter ? { ...filter, fold: 'true' } : filter)
  const found = await matching.limit(RESULTS_COUNTED_MAX + 1).execute()
  if (found.length <= RESULTS_COUNTED_MAX) {
    const rows = found.toSorted((one, other) => other.seq - one.seq).slice(0, RESULTS_PER_KIND_MAX)
    return { rows, count: String(found.length) }
  }
  const newest = matching.orderBy('at', 'desc').orderBy('seq', 'desc').limit(RESULTS_PER_KIND_MAX)
  return { rows: await newest.execute(), count: `${RESULTS_COUNTED_MAX}+` }
}

/** Records by their ids, in no order. */
export function hasId(ids: readonly string[]) {
  return sql<SqlBool>`id = any(${ids}::uuid[])`
}
