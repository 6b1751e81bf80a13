import { foldEmail } from '@switchboard/contract/auth/email-address'
import type { User, UserInvitation, UserListQuery } from '@switchboard/contract/users'
import type { FiltersOf } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import { NO_PASSWORD } from '@switchboard/sign-in/passwords'
import { type ExpressionBuilder, type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'
import { type Counter, totalFromCounters } from '#src/lists/counters.queries.ts'
import { NOT_DELETED, presentOrDeleted } from '#src/lists/deletions/deletions.queries.ts'
import {
  contains,
  createdFrom,
  createdTo,
  isSearch,
  searchTerm,
  updatedSince,
  whenSet,
} from '#src/lists/filters.queries.ts'

const COLUMNS = [
  'id',
  'email',
  'name',
  'external_id',
  'role',
  'tenant_id',
  'is_active',
  'created_at',
  'updated_at',
  'last_sign_in_at',
  'must_change_password',
  'version',
] as const satisfies (keyof User)[]

/** The order of the last sign-in, as in the index: users who never signed in come before all others. */
const lastSignIn = sql<object>`(
  select coalesce(last_sign_in_at, '1970-01-01T00:00:00Z'::timestamptz) as last_sign_in
)`.as<'signed_in'>('signed_in')

const COUNTERS: readonly Counter[] = [
  { filters: [], facet: 'status' },
  { filters: ['role'], facet: 'role' },
  { filters: ['is_active'], facet: 'status' },
  { filters: ['role', 'is_active'], facet: 'role_and_status' },
]

/** The list of users. */
export const listedUsers = {
  matching: matchingUsers,
  total: (query: UserListQuery) =>
    query.deleted === undefined ? totalFromCounters('users', COUNTERS, query) : undefined,
  isCollected: ({ q }: UserListQuery) => isSearch(q),
}

/** The matching users, unsorted. The search covers names, email addresses and external ids, which have a trigram index. */
function matchingUsers(db: Kysely<Database>, query: FiltersOf<UserListQuery>) {
  const {
    q,
    email,
    external_id,
    role,
    tenant_id,
    is_active,
    never_signed_in,
    deleted,
    created_from,
    created_to,
    updated_since,
  } = query
  return db
    .selectFrom(presentOrDeleted('users', deleted !== undefined))
    .select([...COLUMNS, 'deleted_at'])
    .select(ofTenant)
    .select(ofAccess)
    .innerJoinLateral(lastSignIn, (join) => join.onTrue())
    .$call(whenSet(email, (matching, value) => matching.where('folded_email', '=', foldEmail(value))))
    .$call(whenSet(external_id, (matching, value) => matching.where('external_id', '=', value)))
    .$call(whenSet(role, (matching, value) => matching.where('role', 'in', value)))
    .$call(whenSet(tenant_id, (matching, value) => matching.where('tenant_id', '=', value)))
    .$call(whenSet(is_active, (matching, value) => matching.where('is_active', '=', value)))
    .$if(never_signed_in !== undefined, (matching) => matching.where('last_sign_in_at', 'is', null))
    .$call(whenSet(created_from, (matching, value) => matching.where(createdFrom(value))))
    .$call(whenSet(created_to, (matching, value) => matching.where(createdTo(value))))
    .$call(whenSet(updated_since, (matching, value) => matching.where(updatedSince(value))))
    .$call(whenSet(searchTerm(q), (matching, term) => matching.where(contains(term))))
}

/** Subqueries look up the tenant for the rows of the page; a join would run for all matching rows. */
function ofTenant(row: ExpressionBuilder<Database, 'users'>) {
  const tenant = row.selectFrom('tenants').whereRef('tenants.id', '=', 'users.tenant_id')
  return [tenant.select('tenants.name').as('tenant_name'), tenant.select('tenants.status').as('tenant_status')] as const
}

/** Whether a user has a password, and the invitation to choose one. */
function ofAccess(row: ExpressionBuilder<Database, 'users'>) {
  const invitation = row
    .selectFrom('links')
    .select(
      sql<UserInvitation>`json_build_object(
        'created_at', ${isoText('created_at')}, 'expires_at', ${isoText('expires_at')},
        'mail_state', links.mail_state, 'mail_problem', links.mail_problem
      )`.as('invitation'),
    )
    .whereRef('links.user_id', '=', 'users.id')
    .where('links.kind', '=', 'user_invitation')
  return [sql<boolean>`users.password_hash <> ${NO_PASSWORD}`.as('has_password'), invitation.as('invitation')] as const
}

/** Formats a column of `links` like the other times in JSON. The session is in UTC. */
function isoText(column: 'created_at' | 'expires_at') {
  return sql`to_char(${sql.ref(`links.${column}`)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export async function userById(db: Kysely<Database>, id: string): Promise<User | undefined> {
  return await db
    .selectFrom('users')
    .select(COLUMNS)
    .select(ofTenant)
    .select(ofAccess)
    .select(NOT_DELETED)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The user with a folded email address (`foldEmail`). */
export async function userByEmail(db: Kysely<Database>, foldedEmail: string) {
  return await db.selectFrom('users').selectAll().where('folded_email', '=', foldedEmail).executeTakeFirst()
}

export async function insertUser(
  db: Kysely<Database>,
  user: Omit<Insertable<Database['users']>, 'folded_email'>,
): Promise<User> {
  return await db
    .insertInto('users')
    .values({ ...user, folded_email: foldEmail(user.email) })
    .returning(COLUMNS)
    .returning(ofTenant)
    .returning(ofAccess)
    .returning(NOT_DELETED)
    .executeTakeFirstOrThrow()
}

/** Changes a user and the version. */
export async function changeUserRow(
  trx: Transaction<Database>,
  id: string,
  changes: Updateable<Database['users']>,
): Promise<User> {
  const { email } = changes
  return await trx
    .updateTable('users')
    .set({ ...changes, ...(email !== undefined && { folded_email: foldEmail(email) }) })
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', '=', id)
    .returning(COLUMNS)
    .returning(ofTenant)
    .returning(ofAccess)
    .returning(NOT_DELETED)
    .executeTakeFirstOrThrow()
}

/** Changes a row without a new version: a sign-in or a password is nothing that an edit could overwrite. */
export async function updateUserRow(
  db: Kysely<Database>,
  id: string,
  changes: Updateable<Database['users']>,
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', id).execute()
}

export async function lockUser(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

/** Name and subdomain of a tenant: words that a password must not contain. */
export async function tenantNames(db: Kysely<Database>, tenantId: string) {
  return await db.selectFrom('tenants').select(['name', 'subdomain']).where('id', '=', tenantId).executeTakeFirst()
}
