import { useMediaQuery } from '@mantine/hooks'
import {
  createColumnHelper,
  type ReactTable,
  type RowData,
  type TableOptions,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { lazyRouteComponent } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { ColumnHead } from './data-table-head.tsx'
import { BodyRow, SkeletonItems, SkeletonRows } from './data-table-rows.tsx'
import css from './data-table.module.css'
import hidden from './visually-hidden.module.css'

/** How a column looks, and by which word the list is sorted when its head is clicked. */
export type ColumnLook = {
  width?: string
  align?: 'end'
  sort?: { by: string; first: 'ascending' | 'descending' }
  /** Which tables are too narrow for it. */
  only?: 'wide' | 'medium'
  /** The shape of its skeleton, as a CSS width. */
  skeleton?: string
}

const columnMeta: ColumnLook = {}
// No features of the library: the server sorts, filters and pages.
const features = tableFeatures({ columnMeta })

export type Features = typeof features
type Columns<Row extends RowData> = TableOptions<Features, Row>['columns']

/** From so many rows on only those in view are rendered. */
const VIRTUAL_FROM = 101
const SKELETON_ROWS = 12
const NO_ROWS: never[] = []

const VirtualBody = lazyRouteComponent(() => import('./data-table-virtual.tsx'), 'VirtualBody')

type Props<Row extends RowData> = {
  /** What the table lists; readers hear it as its name. */
  label: string
  /** Made once, outside of components. */
  columns: Columns<Row>
  /** Undefined while the first rows are on their way. */
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** True while other rows are on their way: these stay until they come. */
  busy: boolean
  sort: string
  onSort: (sort: string) => void
  renderActions: (row: Row) => ReactNode
  /** The two lines of a row on a phone, where there are no columns. */
  renderPhoneRow: (row: Row) => ReactNode
  renderPhoneActions: (row: Row) => ReactNode
  /** Below the rows: pages. */
  footer: ReactNode
}

/** Makes the columns of a table of `Row`: `const column = columnsOf<Tenant>()`. */
export function columnsOf<Row extends RowData>() {
  return createColumnHelper<Features, Row>()
}

/**
 * A list of records: a table with a sticky head, on phones two-line rows. It only shows; what is sorted, searched and
 * paged is the caller's, and comes from the address.
 */
export function DataTable<Row extends RowData>(props: Props<Row>) {
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  return (
    <div className={css.card}>
      {isPhone ? <PhoneList {...props} /> : <WideTable {...props} />}
      <div className={css.footer}>{props.footer}</div>
    </div>
  )
}

function WideTable<Row extends RowData>({
  label,
  columns,
  rows,
  rowId,
  busy,
  sort,
  onSort,
  renderActions,
}: Props<Row>) {
  const table = useTable({ features, columns, data: rows ?? NO_ROWS, getRowId: rowId })
  return (
    <table className={css.table} aria-label={label} aria-busy={busy} aria-rowcount={rows ? rows.length + 1 : -1}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <ColumnHead key={header.id} look={header.column.columnDef.meta ?? {}} sort={sort} onSort={onSort}>
                <table.FlexRender header={header} />
              </ColumnHead>
            ))}
            <ColumnHead look={{ width: '108px', align: 'end' }} sort={sort} onSort={onSort}>
              <span className={hidden.hidden}>Actions</span>
            </ColumnHead>
          </tr>
        ))}
      </thead>
      <Body table={table} loading={rows === undefined} renderActions={renderActions} />
    </table>
  )
}

type BodyProps<Row extends RowData> = {
  table: ReactTable<Features, Row>
  loading: boolean
  renderActions: (row: Row) => ReactNode
}

function Body<Row extends RowData>({ table, loading, renderActions }: BodyProps<Row>) {
  const { rows } = table.getRowModel()
  const looks = table.getAllLeafColumns().map((column) => column.columnDef.meta ?? {})
  if (loading) return <SkeletonRows looks={looks} count={SKELETON_ROWS} />
  const renderRow = (index: number) => {
    const row = rows[index]
    return row && <BodyRow key={row.id} row={row} index={index} actions={renderActions(row.original)} />
  }
  const firstRows = <tbody>{rows.slice(0, VIRTUAL_FROM).map((_, index) => renderRow(index))}</tbody>
  if (rows.length < VIRTUAL_FROM) return firstRows
  return (
    <Suspense fallback={firstRows}>
      <VirtualBody count={rows.length} renderRow={renderRow} />
    </Suspense>
  )
}

function PhoneList<Row extends RowData>({ label, rows, rowId, busy, renderPhoneRow, renderPhoneActions }: Props<Row>) {
  if (rows === undefined) return <SkeletonItems count={SKELETON_ROWS} />
  return (
    <ul className={css.list} aria-label={label} aria-busy={busy}>
      {rows.map((row) => (
        <li key={rowId(row)} className={css.item}>
          <div className={css.itemMain}>{renderPhoneRow(row)}</div>
          {renderPhoneActions(row)}
        </li>
      ))}
    </ul>
  )
}
