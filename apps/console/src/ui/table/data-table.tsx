import type { ReactNode } from 'react'
import type { Selection } from '#src/lists/selection.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { ColumnHead } from './column-head.tsx'
import { classNames, type Column } from './column.ts'
import css from './data-table.module.css'
import { SelectBox } from './select-box.tsx'
import { SkeletonItems, SkeletonRows } from './skeleton.tsx'
import { useRowSelection } from './use-row-selection.ts'

const SKELETON_ROWS = 12
/** Width of the window, in pixels, that a compact table needs. */
const COMPACT_PX = 1_000
const NO_SELECTION = { ids: new Set<string>(), set: () => undefined }

type Props<Row> = {
  /** Accessible name: "Tenants". */
  label: string
  columns: Column<Row>[]
  /** Undefined while the first page loads. */
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** True while the table still shows the previous page. */
  busy: boolean
  sort?: string
  onSort?: (sort: string) => void
  renderActions?: (row: Row) => ReactNode
  /** The two lines of a row on a phone. */
  renderPhoneRow: (row: Row) => ReactNode
  renderPhoneActions?: (row: Row) => ReactNode
  /** Adds a checkbox to each row, labeled with `nameOf`. */
  selection?: Selection
  nameOf?: (row: Row) => string
  /** For many columns and cells of two lines. Below `COMPACT_PX`, the rows are those of a phone. */
  isCompact?: boolean
  /** Shown below the rows: the pager. */
  footer: ReactNode
}

/**
 * A page of records: a table with a sticky head, or a list of two-line rows on a phone. Sorting, searching and paging
 * are the caller's.
 */
export function DataTable<Row>(props: Props<Row>) {
  const { rows = [], rowId, nameOf, selection, isCompact = false } = props
  const isPhone = useIsPhone(isCompact ? COMPACT_PX : undefined)
  const rowSelection = useRowSelection(rows.map(rowId), selection ?? NO_SELECTION)
  const renderCheckbox =
    selection &&
    ((row: Row) => (
      <SelectBox
        label={`Select ${nameOf?.(row)}`}
        isSelected={selection.ids.has(rowId(row))}
        onSelect={(isSelected, isRange) => rowSelection.selectRow(rowId(row), isSelected, isRange)}
      />
    ))
  const selectAll = selection && (
    <SelectBox
      label="Select all on this page"
      isSelected={rowSelection.isAll}
      isIndeterminate={rowSelection.isIndeterminate}
      onSelect={rowSelection.selectAll}
    />
  )
  return (
    <div className={`${css.card} ${isCompact ? css.compact : ''}`}>
      {isPhone ? (
        <PhoneList {...props} renderCheckbox={renderCheckbox} />
      ) : (
        <WideTable {...props} renderCheckbox={renderCheckbox} selectAll={selectAll} />
      )}
      <div className={css.footer}>{props.footer}</div>
    </div>
  )
}

type WithCheckbox<Row> = { renderCheckbox: ((row: Row) => ReactNode) | undefined }

function WideTable<Row>(props: Props<Row> & WithCheckbox<Row> & { selectAll: ReactNode }) {
  const { selectAll, label, columns, rows, rowId, busy, sort = '', onSort, selection, renderActions, isCompact } = props
  const { renderCheckbox } = props
  return (
    <table className={css.table} aria-label={label} aria-busy={busy}>
      <thead>
        <tr>
          {selectAll && <th className={`${css.head} ${css.checkbox}`}>{selectAll}</th>}
          {columns.map((column) => (
            <ColumnHead key={column.head} layout={column} sort={sort} onSort={onSort}>
              {column.head}
            </ColumnHead>
          ))}
          {renderActions && (
            <ColumnHead layout={{ width: isCompact ? '92px' : '148px', align: 'end' }} sort={sort}>
              <span className={hidden.hidden}>Actions</span>
            </ColumnHead>
          )}
        </tr>
      </thead>
      {rows ? (
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)} className={css.row} data-selected={selection?.ids.has(rowId(row))}>
              {renderCheckbox && <td className={`${css.cell} ${css.checkbox}`}>{renderCheckbox(row)}</td>}
              {columns.map((column) => (
                <td key={column.head} className={classNames(css.cell, column)}>
                  {column.cell(row)}
                </td>
              ))}
              {renderActions && <td className={`${css.cell} ${css.actions}`}>{renderActions(row)}</td>}
            </tr>
          ))}
        </tbody>
      ) : (
        <SkeletonRows
          text={loadingText(label)}
          layouts={columns}
          count={SKELETON_ROWS}
          withActions={renderActions !== undefined}
          withCheckbox={selectAll !== undefined}
        />
      )}
    </table>
  )
}

function PhoneList<Row>(props: Props<Row> & WithCheckbox<Row>) {
  const { label, rows, rowId, busy, selection, renderCheckbox, renderPhoneRow, renderPhoneActions } = props
  if (rows === undefined) return <SkeletonItems text={loadingText(label)} count={SKELETON_ROWS} />
  return (
    <ul className={css.list} aria-label={label} aria-busy={busy}>
      {rows.map((row) => (
        <li key={rowId(row)} className={css.item} data-selected={selection?.ids.has(rowId(row))}>
          {renderCheckbox && <div className={css.itemCheckbox}>{renderCheckbox(row)}</div>}
          <div className={css.itemMain}>{renderPhoneRow(row)}</div>
          {renderPhoneActions?.(row)}
        </li>
      ))}
    </ul>
  )
}

/** "Loading tenants..." for the list "Tenants". */
function loadingText(label: string): string {
  return `Loading ${label.toLowerCase()}...`
}
