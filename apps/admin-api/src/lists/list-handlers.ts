import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { BulkList, ExportedList, FiltersOf, List } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, RawBuilder } from 'kysely'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, type BulkRules, selectIds } from './bulk.service.ts'
import { auditedRows, sendExport } from './export.service.ts'
import { sendList } from './list-reply.ts'
import { readPage } from './page.queries.ts'
import { hasRow, inOrder, type ListQueries, type Order, orderOf } from './rows.queries.ts'

type Queried<Query> = FastifyRequest & { query: Query }
type Sorted = { sort?: string | undefined }

type PagedQueries<Query, Row> = ListQueries<FiltersOf<Query>, Row> & {
  /** The number of matching rows, if it is known without counting them. */
  total?: (query: Query) => RawBuilder<number> | undefined
  /** Whether no index fits both the filters and the order, so that all matching rows are collected and sorted. */
  isCollected?: (query: Query) => boolean
}

/** The handler of a list: one page, or the whole list. */
export function listHandler<
  Query extends Sorted & { limit?: number | undefined; cursor?: string | undefined },
  Row extends object,
>(deps: Deps, list: List<Query, Row> & { export?: Pick<Endpoint, 'schema'> }, queries: PagedQueries<Query, Row>) {
  const { operationId: action } = (list.export ?? list.list).schema
  return (request: Queried<Query>, reply: FastifyReply) =>
    sendList(request, reply, request.query, {
      page: (query) =>
        readPage(deps.db, queries.matching(deps.db, query), orderFor(list, queries, query), query, {
          total: queries.total?.(query),
          isCollected: queries.isCollected?.(query),
        }),
      all: (query: Query) =>
        auditedRows(deps, request, { action, query, rows: sorted(deps.streamDb, list, queries, query) }),
    })
}

/** The handler of the export of a list. */
export function exportHandler<Filters extends Sorted, Column extends string, Row extends Record<Column, unknown>>(
  deps: Deps,
  list: ExportedList<Filters, Column> & { defaultSort: string },
  queries: ListQueries<Filters, Row>,
) {
  return (request: Queried<Filters>, reply: FastifyReply) =>
    sendExport(deps, request, reply, {
      file: list.file,
      action: list.export.schema.operationId,
      query: request.query,
      columns: list.columns,
      rows: sorted(deps.streamDb, list, queries, request.query),
    })
}

/** The handlers of the endpoints for a selection and a bulk change of a list. */
export function bulkHandlers<Filters extends Sorted, Action extends string, LockedRow>(
  deps: Deps,
  list: BulkList<Filters, Action> & { defaultSort: string },
  queries: ListQueries<Filters, unknown>,
  rules: BulkRules<Action, LockedRow>,
) {
  return {
    ids: ({ query }: Queried<Filters>) => selectIds(deps, sorted(deps.streamDb, list, queries, query)),
    bulk: (request: Queried<Filters> & { body: { action: Action; ids: string[] } }) =>
      actOnEach(deps, actorOf(request), rules, {
        ...request.body,
        isSensitive: isSensitive(list.bulk, request.body.action),
        isMatching: (trx, id) => hasRow(queries.matching(trx, request.query), id),
      }),
  }
}

function sorted<Filters extends Sorted, Row>(
  db: Kysely<Database>,
  list: { defaultSort: string },
  queries: ListQueries<Filters, Row>,
  filters: Filters,
) {
  return inOrder(queries.matching(db, filters), orderFor(list, queries, filters))
}

function orderFor<Filters extends Sorted>(
  { defaultSort }: { defaultSort: string },
  { order }: { order?: (filters: Filters) => Order },
  filters: Filters,
): Order {
  return order?.(filters) ?? orderOf(filters.sort ?? defaultSort)
}

function isSensitive({ config }: Pick<Endpoint, 'config'>, action: string): boolean {
  const { confirmed } = config ?? {}
  return typeof confirmed === 'object' && 'actions' in confirmed && confirmed.actions.includes(action)
}
