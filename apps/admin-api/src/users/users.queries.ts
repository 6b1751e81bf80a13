import { type User, USER_SORT_DEFAULT, type UserListQuery } from '@switchboard/contract/users'
import type { Database } from '@switchboard/database/tables'
import { type ExpressionBuilder, type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import { createdFrom, createdTo } from '#src/lists/created.queries.ts'
import { totalOf } from '#src/lists/kept-totals.queries.ts'
import { type Page, readPage } from '#src/lists/page.queries.ts'
import { holds, isSearch } from '#src/lists/search.queries.ts'

const COLUMNS = ['id', 'email', 'role', 'tenant_id', 'is_active', 'created_at'] as const satisfies (keyof User)[]

export async function pageOfUsers(db: Kysely<Database>, query: UserListQuery & { limit: number }): Promise<Page<User>> {
  return await readPage(
    db,
    matchingUsers(db, query),
    { ...query, sort: query.sort ?? USER_SORT_DEFAULT },
    { total: totalOf('users', query), isCollected: isSearch(query.q) },
  )
}

/** All matching users in the order of the list. */
export function sortedUsers(db: Kysely<Database>, query: UserListQuery) {
  const sort = query.sort ?? USER_SORT_DEFAULT
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  return matchingUsers(db, query)
    .orderBy(sql.ref(sort.replace(/^-/, '')), direction)
    .orderBy('id', direction)
}

/** Searches addresses alone: names of tenants too would cost a second for a common word at a million rows. */
function matchingUsers(db: Kysely<Database>, query: UserListQuery) {
  const { q, role, tenant_id, is_active, created_from, created_to } = query
  return db
    .selectFrom('users')
    .select(COLUMNS)
    .select(tenantName)
    .$if(role !== undefined, (matching) => matching.where('role', '=', role ?? 'user'))
    .$if(tenant_id !== undefined, (matching) => matching.where('tenant_id', '=', tenant_id ?? ''))
    .$if(is_active !== undefined, (matching) => matching.where('is_active', '=', is_active === true))
    .$if(created_from !== undefined, (matching) => matching.where(createdFrom(created_from ?? '')))
    .$if(created_to !== undefined, (matching) => matching.where(createdTo(created_to ?? '')))
    .$if(isSearch(q), (matching) => matching.where(holds(q ?? '')))
}

/** Whether a user matches a list query. */
export async function matchesUser(db: Kysely<Database>, query: UserListQuery, id: string): Promise<boolean> {
  return (await matchingUsers(db, query).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The addresses of these admins by their ids. */
export async function emailsOfUsers(db: Kysely<Database>, ids: string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('users').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

/** Tenant names are looked up for the rows of the page only; a join would cover all matches. */
function tenantName(row: ExpressionBuilder<Database, 'users'>) {
  return row
    .selectFrom('tenants')
    .select('tenants.name')
    .whereRef('tenants.id', '=', 'users.tenant_id')
    .as('tenant_name')
}

export async function userById(db: Kysely<Database>, id: string): Promise<User | undefined> {
  return await db.selectFrom('users').select(COLUMNS).select(tenantName).where('id', '=', id).executeTakeFirst()
}

export async function insertUser(db: Kysely<Database>, admin: Insertable<Database['users']>): Promise<User> {
  return await db.insertInto('users').values(admin).returning(COLUMNS).returning(tenantName).executeTakeFirstOrThrow()
}

export async function setActive(trx: Transaction<Database>, id: string, isActive: boolean): Promise<void> {
  await trx.updateTable('users').set({ is_active: isActive }).where('id', '=', id).execute()
}

export async function deleteUserRow(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}

/** Locked before its users. Deleting a tenant locks in the same order, which prevents deadlocks. */
export async function lockTenantOfUser(trx: Transaction<Database>, tenantId: string) {
  return await trx.selectFrom('tenants').select('id').where('id', '=', tenantId).forNoKeyUpdate().executeTakeFirst()
}

export async function lockUser(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

/** Ids of the active super admins. */
export async function activeSuperAdmins(trx: Transaction<Database>): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'super_admin')
    .where('is_active', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

export async function tenantWords(db: Kysely<Database>, tenantId: string) {
  return await db.selectFrom('tenants').select(['name', 'subdomain']).where('id', '=', tenantId).executeTakeFirst()
}
