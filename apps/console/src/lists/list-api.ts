import type { Capability } from '@switchboard/contract/auth/capabilities'
import type { BulkAnswer } from '@switchboard/contract/wire/bulk'
import type { BulkList, ExportedList, FiltersOf, List } from '@switchboard/contract/wire/list-endpoints'
import { type QueryKey, queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { totalText } from '#src/lib/format/count.ts'
import { call, callFile, callPage, type ListPage } from '#src/lib/call.ts'
import { filtersOf, type ListParams, withoutPage } from './list-params.ts'
import { pageSize } from './page-size.ts'
import { prefetch, queryClient } from '#src/lib/query-client.ts'

type ListQuery = { limit?: number | undefined; cursor?: string | undefined; sort?: string | undefined }
type Shape = { list: { schema: { querystring: { shape: Readonly<Record<string, z.core.$ZodType>> } } } }

/**
 * The calls of a list of the contract. The cache keys of its pages begin with `queryKey`.
 */
export function listApi<Query extends ListQuery, Row>(list: List<Query, Row> & Shape, queryKey: QueryKey) {
  const { querystring } = list.list.schema

  /** Parses search parameters: drops invalid values and fills in the defaults. */
  function listOf(search: { [Name in keyof Query]?: string | undefined }) {
    const valid = Object.entries<string | undefined>(search).filter(([name, value]) => {
      const schema = querystring.shape[name]
      return value !== undefined && schema !== undefined && z.safeParse(schema, value).success
    })
    const query = z.parse(querystring, Object.fromEntries(valid))
    return { ...query, sort: query.sort ?? list.defaultSort, limit: pageSize.parse(search.limit) }
  }

  function pageQuery(query: Query) {
    return queryOptions({
      queryKey: [...queryKey, query],
      queryFn: ({ signal }) => callPage(list.list, { query, signal }),
    })
  }

  /** The number of matching rows: "312", "10000+". */
  function totalQuery(query: Query) {
    const page = pageQuery({ ...query, limit: 1, cursor: undefined, sort: undefined })
    return { ...page, select: ({ total }: ListPage<Row[]>) => total }
  }
  return {
    listOf,
    query: pageQuery,
    totalQuery,
    /** The number of rows of another query: of `all` rows, while `filtered` has filters. */
    useTotal: (all: Query, filtered: ListParams): string | undefined =>
      useQuery({ ...totalQuery(all), enabled: filtersOf(filtered).length > 0 }).data,
    /** The number of rows for search parameters, such as those of a saved view. */
    Total: ({ search }: { search: Record<string, string> }): ReactNode => {
      const { data } = useQuery(totalQuery(listOf(search)))
      return data && totalText(data)
    },
    /** Starts to fetch a page without blocking the screen. */
    prefetch: (search: { [Name in keyof Query]?: string | undefined }) => prefetch(pageQuery(listOf(search))),
    loadedRow: (isMatching: (row: Row) => boolean): Row | undefined =>
      queryClient
        .getQueriesData<ListPage<Row[]>>({ queryKey })
        .flatMap(([, page]) => page?.rows ?? [])
        .find(isMatching),
  }
}

/** The export of a list of the contract. */
export function exportApi<Query extends ListQuery, Column extends string>(
  list: List<Query, unknown> & ExportedList<FiltersOf<Query>, Column>,
) {
  return {
    file: (query: Query, signal: AbortSignal) => callFile(list.export, { query: withoutPage(query), signal }),
  }
}

type BulkName =
  | 'activate'
  | 'deactivate'
  | 'reactivate'
  | 'suspend'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'delete'
  | 'restore'

/** Verb on the button of a bulk action, past participle for its result, capability, and the action that undoes it. */
const BULK_LABELS: Record<BulkName, { label: string; done: string; capability: Capability; opposite?: BulkName }> = {
  activate: { label: 'Activate', done: 'activated', capability: 'edit', opposite: 'deactivate' },
  deactivate: { label: 'Deactivate', done: 'deactivated', capability: 'edit', opposite: 'activate' },
  reactivate: { label: 'Reactivate', done: 'reactivated', capability: 'edit', opposite: 'suspend' },
  suspend: { label: 'Suspend', done: 'suspended', capability: 'edit', opposite: 'reactivate' },
  pause: { label: 'Pause', done: 'paused', capability: 'edit', opposite: 'resume' },
  resume: { label: 'Resume', done: 'resumed', capability: 'edit', opposite: 'pause' },
  retry: { label: 'Retry', done: 'retried', capability: 'edit' },
  delete: { label: 'Delete', done: 'deleted', capability: 'delete', opposite: 'restore' },
  restore: { label: 'Restore', done: 'restored', capability: 'delete' },
}

/** An action on all selected rows. `consequence` is shown before the action starts. */
type BulkAction<Name extends BulkName> = {
  name: Name
  consequence: string
  /** Fetches a sentence with the numbers of affected records. Called for at most `BULK_CALL_MAX` rows. */
  effectsOf?: (ids: string[]) => Promise<string>
  /** Leaves out the account of the signed-in admin. */
  sparesOwnAccount?: true
  /** The button is red and stands last. */
  isDanger?: boolean
  /** Has no button, but Undo may use it. */
  isHidden?: boolean
}

/** The only action on deleted records, and the action that undoes deletions. */
export const RESTORE = {
  name: 'restore',
  consequence: 'They are as they were before the deletion.',
} as const

/** The actions on present records, or with `isDeleted` on deleted ones. */
export function bulkOf(bulk: Bulk, isDeleted: boolean): Bulk {
  const isHidden = (name: string) => (name === 'restore') !== isDeleted
  return { ...bulk, actions: bulk.actions.map((action) => ({ ...action, isHidden: isHidden(action.name) })) }
}

/** The actions on the selected rows of a list. */
export type Bulk = {
  /** Singular noun: "tenant". */
  noun: string
  actions: readonly (BulkAction<BulkName> & {
    label: string
    done: string
    capability: Capability
    opposite?: BulkName
    act: (ids: string[], isByFilter: boolean) => Promise<BulkAnswer>
  })[]
  /** Name of a row; undefined for a row that is not loaded. */
  nameOf: (id: string) => string | undefined
  matchingIds: () => Promise<string[]>
}

/** The bulk actions of a list of the contract, by its filters. Rows selected by filter must still match these filters. */
export function bulkApi<Filters, Action extends BulkName>(
  list: BulkList<Filters, Action>,
  noun: string,
  actions: readonly BulkAction<Action>[],
  nameOf: Bulk['nameOf'] = () => undefined,
) {
  return (filters: Filters): Bulk => ({
    noun,
    nameOf,
    actions: actions.map((action) => ({
      ...BULK_LABELS[action.name],
      isDanger: action.name === 'delete',
      ...action,
      act: (ids, isByFilter) =>
        call(list.bulk, { query: isByFilter ? filters : {}, body: { action: action.name, ids } }),
    })),
    matchingIds: () => call(list.ids, { query: filters }),
  })
}
