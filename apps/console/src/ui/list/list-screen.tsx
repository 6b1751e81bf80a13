import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { LinkOptions } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, Suspense, use, useCallback, useState } from 'react'
import type { ListPage } from '#src/lib/call.ts'
import { useAllowed, useCan } from '#src/lib/can.ts'
import { lazyPart } from '#src/lib/lazy.tsx'
import { listText, totalText } from '#src/lib/format/count.ts'
import type { Filter, FilterOption } from '#src/lists/filters.ts'
import type { Bulk } from '#src/lists/list-api.ts'
import { filtersOf, type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { useSelection } from '#src/lists/selection.ts'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { IsTab } from '#src/ui/page/is-tab.ts'
import { Announcement } from '#src/ui/notice/announcement.tsx'
import { Page } from '#src/ui/page/page.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Column } from '#src/ui/table/column.ts'
import { DataTable } from '#src/ui/table/data-table.tsx'
import type { Action } from '#src/ui/table/action.ts'
import { useRequestedAction } from '#src/ui/table/use-requested-action.ts'
import { EmptyList } from './empty-list.tsx'
import { ListActions } from './list-actions.tsx'
import { ListContent } from './list-content.tsx'
import { ListOffer } from './list-offer.tsx'
import { ListViews } from './list-views.tsx'
import { ListTools } from './list-tools.tsx'
import { Pager } from './pager.tsx'
import { useColumns } from './use-columns.ts'
import { notRefreshedText } from './use-refresh.ts'

const BulkBar = lazyPart(() => import('./bulk-bar.tsx').then((code) => code.BulkBar))
const ExportDialog = lazyPart(() => import('./export-dialog.tsx').then((code) => code.ExportDialog))
const ColumnsDialog = lazyPart(() => import('./columns-dialog.tsx').then((code) => code.ColumnsDialog))

type Create = { label: string } & (LinkOptions | { onCreate: () => void })

type Props<Row> = {
  /** Title of the page, and accessible name of the table: "Tenants". */
  title: string
  breadcrumb?: ReactNode
  subtitle?: ReactNode
  /** Singular noun of a row: "tenant". */
  noun: string
  /** Plural of the noun in sentences about the list: "activity". */
  nouns?: string
  list: ListParams
  query: UseQueryResult<ListPage<Row[]>>
  /** Refetches other data of the page, when the list is refreshed by hand. */
  onRefresh?: () => void
  /** The number beside the title; by default that of the rows without the filters. */
  count?: string | undefined
  /** The number of rows without the filters, while any is set. */
  all: string | undefined
  /** The number of matching records, if it is not that of the rows. */
  matching?: string | undefined
  /** Further counts of the matching records: "431 active". */
  counts?: string | undefined
  /** The button that leads to the form for a new record, in the head and in the empty list, if there is one. */
  create?: Create
  /** Other actions in the head, also of an empty list. */
  action?: ReactNode
  /** The page that imports records from a file. */
  importTo?: LinkOptions['to']
  /** The list of the saved views, and the number of rows of one. Absent for a list without views. */
  saved?: Pick<ComponentProps<typeof ListViews>, 'list' | 'Total'>
  /** A switch between views of the list. */
  views?: ReactNode
  /** Actions in the menu of a phone: those of `views` and of `action`. */
  phoneActions?: Action[]
  alert?: ReactNode
  /** Shown above the list, or below it on a phone. */
  notice?: ReactNode
  below?: ReactNode
  /** Absent for a list without a search. */
  searchLabel?: string | undefined
  /** The sort orders, for narrow screens with hidden column heads. Absent for a list with one order. */
  sorts?: readonly FilterOption[]
  filters: readonly Filter[]
  empty: Pick<ComponentProps<typeof EmptyList>, 'searchHelp' | 'title' | 'help'>
  columns: Column<Row>[]
  /** The rows of the table, if there are others than those of the page. */
  rows?: Row[] | undefined
  isCompact?: boolean
  /** A row with one cell across all columns. */
  renderWide?: (row: Row) => ReactNode
  /** Accessible name of the row, used in the labels of its actions. */
  nameOf: (row: Row) => string
  /**
   * The actions of a row; shown are those that the role allows. `remove` asks before the row is deleted, with
   * `renderDeletion`. Absent for rows that cannot be changed.
   */
  actionsOf?: (row: Row, remove: Action) => Action[]
  renderDeletion?: (row: Row, on: { onDeleted: () => void; onClose: () => void }) => ReactNode
  renderPhoneRow: (row: Row) => ReactNode
  bulk?: Bulk
  /** Fetches all rows that match the filters as a CSV file. Absent for a list without an export. */
  file?: (signal: AbortSignal) => Promise<Response>
  /** Text of the exported rows; by default their number. */
  exported?: string | undefined
  /** Preloads the code of the dialogs. */
  onIntent?: () => void
  children?: ReactNode
}

/**
 * A page with a list: search, filters, table, actions on a row or on all selected rows, and export. The URL holds the
 * filters, the order and the page. An empty list has no tools, only the sentence and the button that begin it.
 */
export function ListScreen<Row extends { id: string }>(props: Props<Row>) {
  const { title, noun, list, query, all, notice, searchLabel, sorts, filters, empty, bulk } = props
  const { columns, nameOf, actionsOf, isCompact, renderDeletion, renderPhoneRow, file } = props
  const { onIntent, children } = props
  const isFiltered = filtersOf(list).length > 0
  const shown = query.data?.total
  const { counts, rows = query.data?.rows } = props
  const matching = 'matching' in props ? props.matching : shown
  const { exported = listText(matching, noun, isFiltered) } = props
  // Also the screen reader announcement of the loaded rows.
  const total = matching && joined(listText(matching, noun, false), counts)
  const isPhone = useIsPhone()
  const isTab = use(IsTab)
  const canEdit = useCan('edit')
  const allowed = useAllowed()
  const importTo = isTab || !canEdit ? undefined : props.importTo
  const change = useChangeList()
  const selection = useSelection(list)
  const [deleted, setDeleted] = useState<Row | null>(null)
  const [open, setOpen] = useState<'none' | 'export' | 'columns'>('none')
  const { arranged, shown: shownColumns, ...choice } = useColumns(title, columns)
  const allActionsOf = useCallback(
    (row: Row) => {
      const remove: Action = {
        label: 'Delete',
        Icon: IconTrash,
        capability: 'delete',
        danger: true,
        onSelect: () => setDeleted(row),
      }
      return allowed(actionsOf?.(row, remove) ?? [])
    },
    [actionsOf, allowed],
  )
  useRequestedAction(query.isPlaceholderData ? undefined : rows, allActionsOf)
  const { nouns = `${noun}s` } = props
  const bulkActions = allowed(bulk?.actions ?? [])
  const hasBulk = bulkActions.some(({ isHidden }) => isHidden !== true)
  const isEmpty = shown === '0' && !isFiltered && list.cursor === undefined && !query.isPlaceholderData
  const { count = isFiltered ? all : shown } = props
  // The title names the rows, except in a list that names them itself.
  const allText = all && (props.nouns === undefined ? totalText(all) : listText(all, noun, false))
  // A phone and a tab have no line for the counts of all rows.
  const result = isFiltered
    ? joined(matchText(matching, allText, list['deleted'] !== undefined), counts)
    : isPhone || isTab
      ? undefined
      : counts
  const create = canEdit && props.create ? <CreateButton {...props.create} isShort={isPhone && !isEmpty} /> : null
  const menu = (
    <ListActions
      title={title}
      noun={nouns}
      query={query}
      onRefresh={props.onRefresh}
      onExport={file && (() => setOpen('export'))}
      phoneActions={props.phoneActions ?? []}
      importTo={importTo}
      onColumns={isPhone ? undefined : () => setOpen('columns')}
      // A search shows the rows before it until its result arrives.
      onSelectAll={
        hasBulk && rows !== undefined && !query.isPlaceholderData
          ? () =>
              selection.set(
                rows.map(({ id }) => id),
                true,
              )
          : undefined
      }
    />
  )
  return (
    <Page
      title={title}
      breadcrumb={props.breadcrumb}
      count={count && totalText(count)}
      offer={query.data?.offer && <ListOffer offer={query.data.offer} noun={noun} />}
      subtitle={isTab ? total : props.subtitle}
      isList
      action={
        <>
          {isPhone && (!isEmpty || Boolean(props.action)) && menu}
          {props.action}
          {!isEmpty && create}
        </>
      }
    >
      {/* Without the number, which may change each second. */}
      <Announcement>{query.data?.offer && `Others have changed the ${nouns}.`}</Announcement>
      {props.alert}
      {!isPhone && notice}
      {!isEmpty && !isTab && props.saved && <ListViews {...props.saved} title={title} columns={choice.arrangement} />}
      {!isEmpty && (
        <ListTools
          list={list}
          searchLabel={searchLabel}
          filters={filters}
          sorts={sorts}
          views={props.views}
          note={notRefreshedText(query) ?? result}
        >
          {menu}
        </ListTools>
      )}
      <ListContent
        query={query}
        search={list.q}
        noun={nouns}
        total={total}
        empty={
          <EmptyList
            list={list}
            noun={`${noun}s`}
            action={
              <>
                {create}
                {importTo && (
                  <ButtonLink to={importTo} variant="default">
                    Import CSV
                  </ButtonLink>
                )}
              </>
            }
            {...empty}
          />
        }
        below={
          <>
            {isPhone && notice}
            {props.below}
          </>
        }
      >
        <DataTable
          label={title}
          columns={shownColumns}
          rows={rows}
          rowId={idOf}
          busy={query.isPlaceholderData}
          selection={hasBulk ? selection : undefined}
          nameOf={nameOf}
          sort={list.sort}
          onSort={(sort) => change({ sort })}
          isCompact={isCompact}
          actionsOf={actionsOf && allActionsOf}
          renderWide={props.renderWide}
          onIntent={onIntent}
          renderPhoneRow={renderPhoneRow}
          footer={<Pager page={query.data} limit={list.limit} noun={noun} />}
        />
      </ListContent>
      <Suspense>
        {bulk && selection.ids.size > 0 && (
          <BulkBar bulk={{ ...bulk, actions: bulkActions }} total={shown} selection={selection} />
        )}
      </Suspense>
      <Suspense>
        {open === 'columns' && (
          <ColumnsDialog
            arranged={arranged}
            onChange={choice.change}
            onReset={choice.reset}
            onClose={() => setOpen('none')}
          />
        )}
        {open === 'export' && file && (
          <ExportDialog title={`Export ${title}`} content={exported} start={file} onClose={() => setOpen('none')} />
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

/** The primary button of a list; only its sign beside the title of a phone. */
function CreateButton({ label, isShort, ...target }: Create & { isShort: boolean }) {
  const button = {
    'aria-keyshortcuts': 'C',
    ...(isShort ? { 'aria-label': label, px: 10 } : { leftSection: <IconPlus size={16} aria-hidden /> }),
    children: isShort ? <IconPlus size={18} aria-hidden /> : label,
  }
  return 'onCreate' in target ? (
    <Button {...button} onClick={target.onCreate} />
  ) : (
    <ButtonLink {...target} {...button} />
  )
}

/** "46 of 300", "3 deleted" */
function matchText(matching: string | undefined, allText: string | undefined, isDeleted: boolean) {
  if (matching === undefined) return undefined
  if (isDeleted) return `${totalText(matching)} deleted`
  return allText && `${totalText(matching)} of ${allText}`
}

function joined(...texts: (string | undefined)[]): string | undefined {
  return texts.filter(Boolean).join(' · ') || undefined
}

function idOf({ id }: { id: string }): string {
  return id
}
