import { useMediaQuery } from '@mantine/hooks'
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

/** A column: its head, what stands in its cells, and how it looks. */
export type Column<Row> = ColumnLook & { head: string; cell: (row: Row) => ReactNode }

/** From so many rows on only those in view are rendered. */
const VIRTUAL_FROM = 101
const SKELETON_ROWS = 12

const VirtualBody = lazyRouteComponent(() => import('./data-table-virtual.tsx'), 'VirtualBody')

type Props<Row> = {
  /** What the table lists; readers hear it as its name. */
  label: string
  /** Made once, outside of components. */
  columns: Column<Row>[]
  /** Undefined while the first rows are on their way. */
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** True while other rows are on their way: these stay until they come. */
  busy: boolean
  sort?: string
  onSort?: (sort: string) => void
  renderActions?: (row: Row) => ReactNode
  /** The two lines of a row on a phone, where there are no columns. */
  renderPhoneRow: (row: Row) => ReactNode
  renderPhoneActions?: (row: Row) => ReactNode
  /** Below the rows: pages. */
  footer: ReactNode
}

/**
 * A list of records: a table with a sticky head, on phones two-line rows. It only shows; what is sorted, searched and
 * paged is the caller's, and comes from the address.
 */
export function DataTable<Row>(props: Props<Row>) {
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  return (
    <div className={css.card}>
      {isPhone ? <PhoneList {...props} /> : <WideTable {...props} />}
      <div className={css.footer}>{props.footer}</div>
    </div>
  )
}

function WideTable<Row>(props: Props<Row>) {
  const { label, columns, rows, busy, sort = '', onSort, renderActions } = props
  return (
    <table className={css.table} aria-label={label} aria-busy={busy} aria-rowcount={rows ? rows.length + 1 : -1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <ColumnHead key={column.head} look={column} sort={sort} onSort={onSort}>
              {column.head}
            </ColumnHead>
          ))}
          {renderActions && (
            <ColumnHead look={{ width: '132px', align: 'end' }} sort={sort}>
              <span className={hidden.hidden}>Actions</span>
            </ColumnHead>
          )}
        </tr>
      </thead>
      {rows ? (
        <Body {...props} rows={rows} />
      ) : (
        <SkeletonRows
          text={loadingText(label)}
          looks={columns}
          count={SKELETON_ROWS}
          withActions={renderActions !== undefined}
        />
      )}
    </table>
  )
}

function Body<Row>({ columns, rows, rowId, renderActions }: Props<Row> & { rows: Row[] }) {
  const renderRow = (row: Row, index: number) => (
    <BodyRow key={rowId(row)} row={row} columns={columns} index={index} actions={renderActions?.(row)} />
  )
  const firstRows = <tbody>{rows.slice(0, VIRTUAL_FROM).map(renderRow)}</tbody>
  if (rows.length < VIRTUAL_FROM) return firstRows
  return (
    <Suspense fallback={firstRows}>
      <VirtualBody
        count={rows.length}
        renderRow={(index) => rows.slice(index, index + 1).map((row) => renderRow(row, index))}
      />
    </Suspense>
  )
}

function PhoneList<Row>({ label, rows, rowId, busy, renderPhoneRow, renderPhoneActions }: Props<Row>) {
  if (rows === undefined) return <SkeletonItems text={loadingText(label)} count={SKELETON_ROWS} />
  return (
    <ul className={css.list} aria-label={label} aria-busy={busy}>
      {rows.map((row) => (
        <li key={rowId(row)} className={css.item}>
          <div className={css.itemMain}>{renderPhoneRow(row)}</div>
          {renderPhoneActions?.(row)}
        </li>
      ))}
    </ul>
  )
}

/** "Loading tenants..." for the list "Tenants" (spec §2, Tenants). */
function loadingText(label: string): string {
  return `Loading ${label.toLowerCase()}...`
}
