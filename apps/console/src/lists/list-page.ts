import { keepPreviousData, type QueryMeta } from '@tanstack/react-query'

/**
 * Options of the page that a list shows: the rows of the page before stay until this one has arrived, and rows that others
 * add wait behind a button.
 */
export const LIST_PAGE = { placeholderData: keepPreviousData, meta: { isListPage: true } }

/** Whether a query has the options above. */
export function isListPage(meta: QueryMeta | undefined): boolean {
  return meta?.['isListPage'] === true
}
