import type { ListView, ViewedList } from '@switchboard/contract/list-views'
import type { Database } from '@switchboard/database/tables'
import { type Insertable, type Kysely, sql, type Transaction, type Updateable } from 'kysely'

/** The views that a person sees of a list: their own and the shared ones, oldest first. */
export async function viewsOfList(db: Kysely<Database>, userId: string, list: ViewedList): Promise<ListView[]> {
  return await viewsOf(db, userId).where('list', '=', list).orderBy('created_at').orderBy('id').execute()
}

/** A view that a person sees. */
export async function viewOf(trx: Transaction<Database>, userId: string, id: string): Promise<ListView> {
  return await viewsOf(trx, userId).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Locks a view that a person sees. */
export async function lockView(trx: Transaction<Database>, userId: string, id: string): Promise<ListView | undefined> {
  return await viewsOf(trx, userId).where('id', '=', id).forUpdate('list_views').executeTakeFirst()
}

export async function countViews(trx: Transaction<Database>, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('list_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertView(
  trx: Transaction<Database>,
  view: Insertable<Database['list_views']>,
): Promise<{ id: string }> {
  return await trx.insertInto('list_views').values(view).returning('id').executeTakeFirstOrThrow()
}

export async function updateView(
  trx: Transaction<Database>,
  id: string,
  change: Updateable<Database['list_views']>,
): Promise<void> {
  await trx.updateTable('list_views').set(change).where('id', '=', id).execute()
}

export async function deleteView(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('list_views').where('id', '=', id).execute()
}

/** Makes a view the default of its list for a person, in place of another. */
export async function setDefaultView(
  trx: Transaction<Database>,
  { user_id, list, view_id }: Insertable<Database['default_list_views']>,
): Promise<void> {
  await trx
    .insertInto('default_list_views')
    .values({ user_id, list, view_id })
    .onConflict((conflict) => conflict.columns(['user_id', 'list']).doUpdateSet({ view_id }))
    .execute()
}

/** The list opens without a view again. */
export async function removeDefaultView(trx: Transaction<Database>, user_id: string, view_id: string): Promise<void> {
  await trx.deleteFrom('default_list_views').where('user_id', '=', user_id).where('view_id', '=', view_id).execute()
}

function viewsOf(db: Kysely<Database>, userId: string) {
  return db
    .selectFrom('list_views')
    .select(['id', 'list', 'name', 'search', 'is_shared'])
    .select((where) => [
      where('owner_id', '=', userId).$castTo<boolean>().as('is_own'),
      where
        .exists(
          where
            .selectFrom('default_list_views')
            .select(sql`1`.as('one'))
            .where('user_id', '=', userId)
            .whereRef('view_id', '=', 'list_views.id'),
        )
        .$castTo<boolean>()
        .as('is_default'),
    ])
    .where((where) => where.or([where('owner_id', '=', userId), where('is_shared', '=', true)]))
}
