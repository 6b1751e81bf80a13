import { memo, type ReactNode, useId, useMemo } from 'react'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { ColumnHead } from './column-head.tsx'
import { classNames, mainOf } from './column.ts'
import css from './data-table.module.css'
import type { TableProps } from './table-props.ts'
import { SelectBox } from './select-box.tsx'
import { loadingText, SKELETON_ROWS, SkeletonRows } from './skeleton.tsx'
import { useRowCursor } from './use-row-cursor.ts'
import { useRowSelection } from './use-row-selection.ts'

/** The rows as a table. See `useRowCursor` for the keyboard. */
export function WideTable<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowId, nameOf, busy, sort = '', onSort, selection } = props
  const { actionsOf, renderWide, onIntent } = props
  const rowIds = useMemo(() => rows?.map(rowId) ?? [], [rows, rowId])
  const { isAll, isIndeterminate, selectAll, selectRow } = useRowSelection(rowIds, selection)
  const cursor = useRowCursor(label, rowIds, (index, key) => {
    const row = rows?.[index]
    const action = row && actionsOf?.(row).find(({ shortcut }) => shortcut === key)
    if (!action?.refusal) action?.onSelect()
    return action !== undefined
  })
  const mainColumn = mainOf(columns)
  const helpId = useId()
  return (
    <>
      <p id={helpId} className={hidden.hidden}>
        Up and down move between the rows, left and right between the controls of a row.
      </p>
      <table {...cursor} className={css.table} aria-label={label} aria-describedby={helpId} aria-busy={busy}>
        <thead>
          <tr>
            {selection && (
              <th className={`${css.head} ${css.checkbox}`}>
                <SelectBox
                  label="Select all on this page"
                  isSelected={isAll}
                  isIndeterminate={isIndeterminate}
                  // The rows to come are others: a search shows those before it until its result arrives.
                  isDisabled={rows === undefined || busy === true}
                  onSelect={selectAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.head} layout={column} isMain={column === mainColumn} sort={sort} onSort={onSort}>
                {column.head}
              </ColumnHead>
            ))}
            {actionsOf && (
              <ColumnHead layout={{ align: 'end' }} sort={sort}>
                <span className={hidden.hidden}>Actions</span>
              </ColumnHead>
            )}
          </tr>
        </thead>
        {rows ? (
          <tbody>
            {rows.map((row) => (
              <TableRow
                key={rowId(row)}
                {...{ row, rowId, nameOf, columns, actionsOf, renderWide, onIntent }}
                isSelected={selection?.ids.has(rowId(row))}
                onSelect={selection && selectRow}
              />
            ))}
          </tbody>
        ) : (
          <SkeletonRows
            text={loadingText(label)}
            layouts={columns}
            count={props.skeletonRows ?? SKELETON_ROWS}
            withActions={actionsOf !== undefined}
            withCheckbox={selection !== undefined}
          />
        )}
      </table>
    </>
  )
}

type CellsProps<Row> = Pick<
  TableProps<Row>,
  'rowId' | 'nameOf' | 'columns' | 'actionsOf' | 'renderWide' | 'onIntent'
> & { row: Row }

type RowProps<Row> = CellsProps<Row> & {
  isSelected: boolean | undefined
  onSelect: ((id: string, isSelected: boolean, isRange: boolean) => void) | undefined
}

// A click on one of 200 rows renders only that row, and a click on all rows renders no cell.
const TableRow = memoized(function TableRow<Row>(props: RowProps<Row>) {
  const { isSelected, onSelect, ...cells } = props
  const { row, rowId, nameOf } = cells
  const name = nameOf?.(row)
  return (
    <tr className={css.row} tabIndex={-1} aria-label={name} data-selected={isSelected}>
      {onSelect && (
        <td className={`${css.cell} ${css.checkbox}`} data-controls>
          <SelectBox
            label={`Select ${name}`}
            keys="X Shift+X"
            isSelected={isSelected === true}
            onSelect={(isNowSelected, isRange) => onSelect(rowId(row), isNowSelected, isRange)}
          />
        </td>
      )}
      <RowCells {...cells} />
    </tr>
  )
})

const RowCells = memoized(function RowCells<Row>(props: CellsProps<Row>) {
  const { row, nameOf, columns, actionsOf, renderWide, onIntent } = props
  const name = nameOf?.(row) ?? ''
  const mainColumn = mainOf(columns)
  const wide = renderWide?.(row)
  if (wide !== undefined) {
    return (
      <td className={`${css.cell} ${css.whole}`} colSpan={columns.length + (actionsOf ? 1 : 0)} data-main>
        {wide}
      </td>
    )
  }
  return (
    <>
      {columns.map((column) => (
        <td
          key={column.head}
          className={classNames(css.cell, column, column === mainColumn)}
          data-main={column === mainColumn || undefined}
        >
          {column.cell(row)}
        </td>
      ))}
      {actionsOf && (
        <td className={`${css.cell} ${css.actions}`} data-controls>
          <MoreMenu label={name} actions={actionsOf(row)} onIntent={onIntent} />
        </td>
      )}
    </>
  )
})

/** `memo` for a generic component: React's own type would lose `Row`. */
function memoized<Props extends object>(component: (props: Props) => ReactNode): (props: Props) => ReactNode {
  return memo(component)
}
