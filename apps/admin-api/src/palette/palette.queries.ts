import { foldEmail } from '@switchboard/contract/auth/email-address'
import { apiKeyResult, noteResult, taskResult } from '@switchboard/contract/palette'
import type { TenantStatus } from '@switchboard/contract/tenants/tenant-status'
import type { Database } from '@switchboard/database/tables'
import { type Kysely, sql, type SqlBool } from 'kysely'
import * as z from 'zod/mini'
import { unfinishedRun } from '@switchboard/database/attention/task-state.queries'

// The tenant of a row is looked up only for returned rows; a join would cover all matches.

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
    .select(['id', 'email', 'name', 'role', 'is_active'])
    .select([
      sql<string | null>`(select name from tenants where tenants.id = users.tenant_id)`.as('tenant_name'),
      sql<TenantStatus | null>`(select status from tenants where tenants.id = users.tenant_id)`.as('tenant_status'),
    ])
}

export function isExactUser(term: string) {
  return sql<SqlBool>`(folded_email = ${foldEmail(term)} or lower(name) = lower(${term}))`
}

export function searchedApiKeys(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .select(z.keyof(z.omit(apiKeyResult, { tenant_status: true })).options)
    .select(sql<TenantStatus>`(select status from tenants where tenants.id = api_keys.tenant_id)`.as('tenant_status'))
}

export function isExactApiKey(term: string) {
  return sql<SqlBool>`name = ${term}`
}

export function searchedTasks(db: Kysely<Database>) {
  return db
    .selectFrom('tasks')
    .select(z.keyof(z.omit(taskResult, { running_run_id: true, waiting_since: true, retry_at: true })).options)
    .select(unfinishedRun)
}

/** The task of a run, which the page of the task shows. */
export async function taskOfRun(db: Kysely<Database>, id: string): Promise<string | undefined> {
  const run = await db.selectFrom('runs').select('task_id').where('id', '=', id).executeTakeFirst()
  return run?.task_id
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

/** Records by their ids, in no order. */
export function hasId(ids: readonly string[]) {
  return sql<SqlBool>`id = any(${ids}::uuid[])`
}
