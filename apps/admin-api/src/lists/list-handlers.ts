import type { Endpoint } from '@switchboard/contract/wire/endpoint'
import type { BulkList, ExportedList, FiltersOf, List } from '@switchboard/contract/wire/list-endpoints'
import type { Database } from '@switchboard/database/tables'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { actorOf } from '#src/auth/authenticate.service.ts'
import type { Deps } from '#src/deps.ts'
import { actOnEach, type BulkRules, selectIds } from './bulk.service.ts'
import { auditedRows, sendExport } from './export.service.ts'
import { sendList } from './list-reply.ts'
import type { Page } from './page.queries.ts'
import { hasRow, inOrderOf, type RowsQuery } from './rows.queries.ts'

type Queried<Query> = FastifyRequest & { query: Query }

type Source<Query, DB, Table extends keyof DB, Row, FileRow> = {
  page: (db: Kysely<Database>, query: Query & { limit: number }) => Promise<Page<Row>>
  /** The matching rows, unsorted. */
  matching: RowsQuery<FiltersOf<Query>, DB, Table, Row>
  /** The matching rows with the columns of the file, unsorted. */
  exported: RowsQuery<FiltersOf<Query>, DB, Table, FileRow>
  /** The primary key, unless it is `id`. */
  key?: string
}

/** The handlers of the endpoints of a list: its pages and the whole list, and the export. */
export function listHandlers<
  Query extends { limit?: number | undefined; sort?: string | undefined },
  Column extends string,
  DB,
  Table extends keyof DB,
  Row extends object,
  FileRow extends Record<Column, unknown>,
>(
  deps: Deps,
  list: List<Query, Row, Column>,
  { page, matching, exported, key }: Source<Query, DB, Table, Row, FileRow>,
) {
  const action = list.export.schema.operationId
  const sorted = inOrderOf(list, matching, key)
  return {
    list: (request: Queried<Query>, reply: FastifyReply) =>
      sendList(request, reply, request.query, {
        page: (query) => page(deps.db, query),
        all: (query: Query) => auditedRows(deps, request, { action, query, rows: sorted(deps.streamDb, query) }),
      }),
    export: exportHandler(deps, list, inOrderOf(list, exported, key)),
  }
}

/** The handler of the export of a sorted query. */
export function exportHandler<
  Filters extends object,
  Column extends string,
  DB,
  Table extends keyof DB,
  Row extends Record<Column, unknown>,
>(
  deps: Deps,
  { file, columns, export: endpoint }: Omit<ExportedList<Filters, Column>, 'filters'>,
  sorted: RowsQuery<Filters, DB, Table, Row>,
) {
  return (request: Queried<Filters>, reply: FastifyReply) =>
    sendExport(deps, request, reply, {
      file,
      action: endpoint.schema.operationId,
      query: request.query,
      columns,
      rows: sorted(deps.streamDb, request.query),
    })
}

/** The handlers of the endpoints for a selection and a bulk change of a sorted query. */
export function bulkHandlers<Filters extends object, Action extends string, DB, Table extends keyof DB, Row, LockedRow>(
  deps: Deps,
  { bulk }: BulkList<Filters, Action>,
  sorted: RowsQuery<Filters, DB, Table, Row>,
  rules: BulkRules<Action, LockedRow>,
) {
  return {
    ids: ({ query }: Queried<Filters>) => selectIds(deps, sorted(deps.streamDb, query)),
    bulk: (request: Queried<Filters> & { body: { action: Action; ids: string[] } }) =>
      actOnEach(deps, actorOf(request), rules, {
        ...request.body,
        isSensitive: isSensitive(bulk, request.body.action),
        isMatching: (trx, id) => hasRow(sorted(trx, request.query), id),
      }),
  }
}

function isSensitive({ config }: Pick<Endpoint, 'config'>, action: string): boolean {
  const { confirmed } = config ?? {}
  return typeof confirmed === 'object' && 'actions' in confirmed && confirmed.actions.includes(action)
}
