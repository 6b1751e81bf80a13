import { parseSearch, stringifySearch, textsOf } from './list-search.ts'

/** Search parameters that are not part of a view: the page, the open record, and the name of the view itself. */
const NOT_SAVED = new Set(['cursor', 'limit', 'saved', 'row', 'key', 'open', 'generate'])

/** The value of `saved` for the list without a view, when another view is its default. */
export const NO_VIEW = 'all'

/** Filters, order, columns and kind of list of an address, in one order: "columns=…&sort=name&status=active". */
export function viewSearch(search: Record<string, unknown>, columns: string | null): string {
  const kept = Object.entries(textsOf({ columns: columns ?? undefined, ...search }))
    .filter(([name]) => !NOT_SAVED.has(name))
    .toSorted(([one], [other]) => one.localeCompare(other))
  return stringifySearch(Object.fromEntries(kept)).replace(/^\?/, '')
}

/** The search parameters of a view. */
export function searchOfView({ id, search }: { id: string; search: string }): Record<string, string> {
  return { ...parseSearch(search), saved: id }
}
