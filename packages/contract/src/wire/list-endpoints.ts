import * as z from 'zod/mini'
import { bulkAnswer, bulkBody, selectedIds } from './bulk.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { CSV_TYPE, csvFile } from '#src/csv/exports.ts'
import { pageFields } from './lists.ts'

/** The names of a listed noun. */
type Noun = {
  /** First part of the operation ids, which are also the actions of the audit log: `tenants` in `tenants.export`. */
  name: string
  /** Plural in the summaries: "Export tenants as CSV". */
  plural: string
  url: string
  tag: string
}

/**
 * A list: its endpoint and all that the server and the console derive from it. A new filter is one line in `filters`.
 * `description` is the description of the list call in openapi.json.
 */
export function describeList<
  Row extends z.core.$ZodType,
  const Sorts extends readonly [string, ...string[]],
  Filters extends z.core.$ZodLooseShape,
>(
  noun: Noun,
  list: {
    description: string
    row: Row
    /** Sort orders: columns, descending with a leading `-`. */
    sorts: Sorts
    defaultSort: Sorts[number]
    filters: Filters
  },
) {
  const { row, sorts, defaultSort } = list
  const filters = {
    /** Field to sort by. A leading `-` means descending. */
    sort: z.optional(z.enum(sorts)),
    ...list.filters,
  }
  return {
    sorts,
    defaultSort,
    filters: z.strictObject(filters),
    list: endpoint('GET', noun.url, {
      config: { capability: 'view', limit: 'whole_list' },
      operationId: `${noun.name}.list`,
      summary: `List ${noun.plural}`,
      description: list.description,
      tags: [noun.tag],
      querystring: z.strictObject({ ...pageFields, ...filters }),
      response: { 200: z.array(row) },
    }),
  }
}

/**
 * The export of a list as CSV. `file` is the name of the file before its date: "tenants" in "tenants-2026-11-18.csv".
 */
export function describeExport<Filters extends z.core.$ZodType, const Column extends string>(
  noun: Noun,
  { filters, file, columns }: { filters: Filters; file: string; columns: readonly Column[] },
) {
  return {
    file,
    columns,
    export: endpoint('POST', `${noun.url}/export`, {
      config: { capability: 'export', limit: 'export', confirmed: true },
      operationId: `${noun.name}.export`,
      summary: `Export ${noun.plural} as CSV`,
      description: 'All matching rows as CSV. A POST, because the audit log records each export.',
      tags: [noun.tag],
      produces: [CSV_TYPE],
      querystring: filters,
      response: { 200: csvFile },
    }),
  }
}

/**
 * The calls that select all matching rows of a list and act on many rows. `sensitive` are the actions that need a
 * confirmation.
 */
export function describeBulk<Filters extends z.core.$ZodType, const Actions extends readonly [string, ...string[]]>(
  noun: Noun,
  { filters, actions, sensitive = [] }: { filters: Filters; actions: Actions; sensitive?: readonly Actions[number][] },
) {
  return {
    ids: endpoint('GET', `${noun.url}/ids`, {
      config: { capability: 'view', limit: 'selection' },
      operationId: `${noun.name}.select`,
      summary: `Select ${noun.plural}`,
      description: 'The ids of all matching rows, in the order of the list. 409 for more than 100,000.',
      tags: [noun.tag],
      querystring: filters,
      response: { 200: selectedIds },
    }),
    bulk: endpoint('POST', `${noun.url}/bulk`, {
      config: { capability: 'edit', confirmed: { actions: sensitive } },
      operationId: `${noun.name}.bulk`,
      summary: `Change many ${noun.plural}`,
      description:
        'Acts on each row in a separate transaction, with the audit entries and refusals of the single call. ' +
        'Idempotent: a row that is already in the requested state, or already deleted, counts as done. ' +
        'With filters, a row that no longer matches them is refused.',
      tags: [noun.tag],
      querystring: filters,
      body: bulkBody(actions),
      response: { 200: bulkAnswer },
    }),
  }
}

/** The query of the export and of bulk calls: the query of a list without its page. */
export type FiltersOf<Query> = Omit<Query, 'limit' | 'cursor'>

type EndpointOf<Schema> = Omit<Endpoint, 'schema'> & {
  schema: Pick<Endpoint['schema'], 'operationId' | 'summary' | 'tags'> & Schema
}

/** Any result of `describeList` with this query and these rows. */
export type List<Query extends { sort?: string | undefined }, Row> = {
  defaultSort: NonNullable<Query['sort']>
  list: EndpointOf<{ querystring: z.core.$ZodType<Query>; response: { 200: z.core.$ZodType<Row[]> } }>
}

/** Any result of `describeExport` with these filters. */
export type ExportedList<Filters, Column extends string> = {
  file: string
  columns: readonly Column[]
  export: EndpointOf<{ querystring: z.core.$ZodType<Filters>; response: { 200: typeof csvFile } }>
}

/** Any result of `describeBulk` with these filters and actions. */
export type BulkList<Filters, Action extends string> = {
  ids: EndpointOf<{ querystring: z.core.$ZodType<Filters>; response: { 200: typeof selectedIds } }>
  bulk: EndpointOf<{
    querystring: z.core.$ZodType<Partial<Filters>>
    body: z.core.$ZodType<{ action: Action; ids: string[] }>
    response: { 200: typeof bulkAnswer }
  }>
}
