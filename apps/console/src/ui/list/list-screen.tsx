import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { LinkOptions } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, Suspense, use, useCallback, useState } from 'react'
import type { ListPage } from '#src/lib/call.ts'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { listText } from '#src/lib/format/count.ts'
import type { Bulk } from '#src/lists/list-api.ts'
import { filtersOf, type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { useSelection } from '#src/lists/selection.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { IsTab } from '#src/ui/page/is-tab.ts'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/row-actions.tsx'
import { useRequestedAction } from '#src/ui/table/use-requested-action.ts'
import { EmptyList } from './empty-list.tsx'
import { BulkBar, ExportDialog } from './lazy-parts.ts'
import { ListActions } from './list-actions.tsx'
import { ListContent } from './list-content.tsx'
import { ListTools } from './list-tools.tsx'
import { Pager } from './pager.tsx'

const CREATE = { leftSection: <IconPlus size={16} aria-hidden />, 'aria-keyshortcuts': 'C' }

type Props<Row> = {
  /** Title of the page, and accessible name of the table: "Tenants". */
  title: string
  /** Links to the parent pages. */
  breadcrumb?: ReactNode
  /** A tab shows the number of rows instead. */
  subtitle: ReactNode
  /** Singular noun of a row: "tenant". */
  noun: string
  list: ListParams
  query: UseQueryResult<ListPage<Row[]>>
  /** Screen reader announcement of loaded rows; by default their number. */
  total?: string | undefined
  /** The button that leads to the form for a new record, in the head and in the empty list, if there is one. */
  create?: { label: string } & (LinkOptions | { onCreate: () => void })
  /** The page that imports records from a file. */
  importTo?: LinkOptions['to']
  /** A switch between views of the list, and its actions in the menu of a phone. */
  views?: ReactNode
  phoneActions?: Action[]
  /** Shown above the list. */
  alert?: ReactNode
  /** Shown above the list, or below it on a phone. */
  notice?: ReactNode
  searchLabel: string
  /** Whether the orders are shown beside the column heads. */
  isSortShown?: boolean
  /** The sort orders, for narrow screens with hidden column heads. */
  sorts: readonly { value: string; label: string }[]
  filters: ReactNode
  empty: Pick<ComponentProps<typeof EmptyList>, 'searchHelp' | 'title' | 'help'>
  columns: Column<Row>[]
  /** The rows of the table, if there are others than those of the page. */
  rows?: Row[] | undefined
  isCompact?: boolean
  /** By default a button for each action. */
  renderActions?: (row: Row, actions: Action[]) => ReactNode
  /** Accessible name of the row, used in the labels of its actions. */
  nameOf: (row: Row) => string
  /** The actions of a row; shown are those that the role allows. `remove` asks before the row is deleted, with `renderDeletion`. */
  actionsOf: (row: Row, remove: Action) => Action[]
  renderDeletion?: (row: Row, on: { onDeleted: () => void; onClose: () => void }) => ReactNode
  renderPhoneRow: (row: Row) => ReactNode
  bulk: Bulk
  /** Fetches all rows that match the filters as a CSV file. */
  file: (signal: AbortSignal) => Promise<Response>
  /** Text of the exported rows; by default their number. */
  exported?: string | undefined
  /** Preloads the code of the dialogs. */
  onIntent?: () => void
  /** Further dialogs. */
  children?: ReactNode
}

/**
 * A page with a list: search, filters, table, actions on a row or on all selected rows, and export. The URL holds the
 * filters, the order and the page.
 */
export function ListScreen<Row extends { id: string }>(props: Props<Row>) {
  const { title, subtitle, noun, list, query, notice, searchLabel, sorts, filters, empty } = props
  const { columns, nameOf, actionsOf, renderActions, isCompact, renderDeletion, renderPhoneRow, bulk, file } = props
  const { onIntent, children } = props
  const { total = query.data && listText(query.data.total, noun, false), rows = query.data?.rows } = props
  const { exported = listText(query.data?.total, noun, filtersOf(list).length > 0) } = props
  const isPhone = useIsPhone()
  const isTab = use(IsTab)
  const canEdit = useCan('edit')
  const allowed = useAllowed()
  const importTo = isTab || !canEdit ? undefined : props.importTo
  const change = useChangeList()
  const selection = useSelection(list)
  const [deleted, setDeleted] = useState<Row | null>(null)
  const [isExporting, setIsExporting] = useState(false)
  const allActionsOf = useCallback(
    (row: Row) => {
      const remove: Action = {
        label: 'Delete',
        Icon: IconTrash,
        capability: 'delete',
        danger: true,
        onSelect: () => setDeleted(row),
      }
      return allowed(actionsOf(row, remove))
    },
    [actionsOf, allowed],
  )
  useRequestedAction(query.isPlaceholderData ? undefined : rows, allActionsOf)
  const nouns = `${noun}s`
  const bulkActions = allowed(bulk.actions)
  const hasBulk = bulkActions.some(({ isHidden }) => isHidden !== true)
  const createButton =
    props.create === undefined || !canEdit ? null : 'onCreate' in props.create ? (
      <Button {...CREATE} onClick={props.create.onCreate}>
        {props.create.label}
      </Button>
    ) : (
      <ButtonLink {...props.create} {...CREATE}>
        {props.create.label}
      </ButtonLink>
    )
  return (
    <Page
      title={title}
      breadcrumb={props.breadcrumb}
      subtitle={isPhone || isTab ? total : subtitle}
      isList
      action={
        <ListActions
          title={title}
          noun={nouns}
          query={query}
          onExport={() => setIsExporting(true)}
          phoneActions={props.phoneActions ?? []}
          importTo={importTo}
          onSelectAll={hasBulk ? () => selection.set(rows?.map(({ id }) => id) ?? [], true) : undefined}
        >
          {createButton}
        </ListActions>
      }
    >
      {props.alert}
      {!isPhone && notice}
      <ListTools
        list={list}
        searchLabel={searchLabel}
        sorts={sorts}
        views={props.views}
        isSortShown={props.isSortShown ?? false}
        onExport={() => setIsExporting(true)}
        importTo={importTo}
      >
        {filters}
      </ListTools>
      <ListContent
        query={query}
        search={list.q}
        noun={nouns}
        total={total}
        empty={<EmptyList list={list} noun={nouns} action={createButton} {...empty} />}
        below={isPhone && notice}
      >
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          rowId={idOf}
          busy={query.isPlaceholderData}
          selection={hasBulk ? selection : undefined}
          nameOf={nameOf}
          sort={list.sort}
          onSort={(sort) => change({ sort })}
          isCompact={isCompact}
          actionsOf={allActionsOf}
          renderActions={renderActions}
          onIntent={onIntent}
          renderPhoneRow={renderPhoneRow}
          footer={<Pager page={query.data} limit={list.limit} noun={noun} />}
        />
      </ListContent>
      <Suspense>
        {selection.ids.size > 0 && (
          <BulkBar bulk={{ ...bulk, actions: bulkActions }} total={query.data?.total} selection={selection} />
        )}
      </Suspense>
      <Suspense>
        {isExporting && (
          <ExportDialog
            title={`Export ${title}`}
            content={exported}
            start={file}
            onClose={() => setIsExporting(false)}
          />
        )}
        {deleted &&
          renderDeletion?.(deleted, {
            onDeleted: () => selection.set([deleted.id], false),
            onClose: () => setDeleted(null),
          })}
        {children}
      </Suspense>
    </Page>
  )
}

function idOf({ id }: { id: string }): string {
  return id
}
