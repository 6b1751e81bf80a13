import * as z from 'zod/mini'
import { endpoint } from '#src/wire/endpoint.ts'
import { requiredText, text } from '#src/wire/text.ts'

/** The lists with saved views. */
export const VIEWED_LISTS = ['tenants', 'users', 'api_keys', 'tasks', 'runs', 'activity'] as const
const viewedList = z.enum(VIEWED_LISTS)
/** A list with saved views. */
export type ViewedList = z.infer<typeof viewedList>

/** Maximum number of views that one person saves. */
export const LIST_VIEWS_MAX = 100
/** Longest name of a view. */
export const LIST_VIEW_NAME_MAX = 40
/** Longest filters, order and columns of a view. */
export const LIST_VIEW_SEARCH_MAX = 2_000

/** A saved view of a list. */
export const listView = z.object({
  /** Id of the view. */
  id: z.uuid(),
  /** The list that the view is of. */
  list: viewedList,
  /** Name of the view. */
  name: z.string(),
  /** Filters, order and columns, as the query of the address in the console: `status=active&sort=name`. */
  search: z.string(),
  /** Whether the whole team sees the view. Otherwise only its owner does. */
  is_shared: z.boolean(),
  /** Whether the caller has saved the view. */
  is_own: z.boolean(),
  /** Whether the list opens with this view for the caller. At most one view of a list. */
  is_default: z.boolean(),
})
export type ListView = z.infer<typeof listView>

const fields = {
  /** Name of the view. */
  name: requiredText(LIST_VIEW_NAME_MAX, 'A view needs a name.'),
  /** Filters, order and columns, as the query of the address in the console: `status=active&sort=name`. */
  search: text(LIST_VIEW_SEARCH_MAX),
  /** Whether the whole team sees the view. */
  is_shared: z.boolean(),
  /** Whether the list opens with this view for the caller. */
  is_default: z.boolean(),
}

/**
 * A new view. Sharing needs the capability `edit`.
 * @example {"list":"tenants","name":"New this month","search":"created_from=2026-11-01","is_shared":false,"is_default":false}
 */
export const createListViewBody = z.strictObject({
  /** The list that the view is of. */
  list: viewedList,
  ...fields,
})
export type CreateListViewBody = z.infer<typeof createListViewBody>

/**
 * Fields of a view to change; fields left out stay as they are.
 * @example {"name":"New in November","is_default":true}
 */
export const updateListViewBody = z.partial(z.strictObject(fields))
export type UpdateListViewBody = z.infer<typeof updateListViewBody>

const url = '/api/v1/admin/list-views'
const tags = ['Saved views']
const params = z.strictObject({
  /** Id of the view. */
  id: z.uuid(),
})
const config = { capability: 'own_account' } as const

/** The caller's views of a list and the shared ones, oldest first. */
export const listListViews = endpoint('GET', url, {
  config,
  operationId: 'list_views.list',
  summary: 'List the saved views of a list',
  tags,
  querystring: z.strictObject({
    /** The list whose views are wanted. */
    list: viewedList,
  }),
  response: { 200: z.array(listView) },
})

/** 403 for a shared view without the capability `edit`. 409 for a person with 100 views. */
export const createListView = endpoint('POST', url, {
  config,
  operationId: 'list_views.create',
  summary: 'Save a view of a list',
  tags,
  body: createListViewBody,
  response: { 201: listView },
})

/**
 * Changes a view. Everyone may change their own private views and choose their default. A shared view needs the
 * capability `edit`. 404 for the private view of somebody else.
 */
export const updateListView = endpoint('PUT', `${url}/:id`, {
  config,
  operationId: 'list_views.update',
  summary: 'Change a saved view',
  tags,
  params,
  body: updateListViewBody,
  response: { 200: listView },
})

/** Deletes a view. A shared view needs the capability `edit`. 404 for the private view of somebody else. */
export const deleteListView = endpoint('DELETE', `${url}/:id`, {
  config,
  operationId: 'list_views.delete',
  summary: 'Delete a saved view',
  tags,
  params,
  response: { 204: z.null() },
})
