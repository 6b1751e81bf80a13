import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { Selection } from '#src/lists/selection.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'
import { ColumnHead } from './column-head.tsx'
import { classNames, type Column } from './column.ts'
import css from './data-table.module.css'
import { SelectBox } from './select-box.tsx'
import { SkeletonItems, SkeletonRows } from './skeleton.tsx'
import { useRowChoice } from './use-row-choice.ts'

const SKELETON_ROWS = 12
const NO_SELECTION = { ids: new Set<string>(), choose: () => undefined }

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
  /** Adds a checkbox to each row, labelled with `nameOf`. */
  selection?: Selection
  nameOf?: (row: Row) => string
  /** Shown below the rows: the pager. */
  footer: ReactNode
}

/**
 * A page of records: a table with a sticky head, or a list of two-line rows on a phone. Sorting, searching and paging
 * are the caller's.
 */
export function DataTable<Row>(props: Props<Row>) {
  const isPhone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const { rows = [], rowId, nameOf, selection } = props
  const choice = useRowChoice(rows.map(rowId), selection ?? NO_SELECTION)
  const renderChoice =
    selection &&
    ((row: Row) => (
      <SelectBox
        label={`Select ${nameOf?.(row)}`}
        isChosen={selection.ids.has(rowId(row))}
        onChoose={(isChosen, isRange) => choice.chooseRow(rowId(row), isChosen, isRange)}
      />
    ))
  const chooseAll = selection && (
    <SelectBox
      label="Select all on this page"
      isChosen={choice.isAll}
      isPartly={choice.isPartly}
      onChoose={choice.chooseAll}
    />
  )
  return (
    <div className={css.card}>
      {isPhone ? (
        <PhoneList {...props} renderChoice={renderChoice} />
      ) : (
        <WideTable {...props} renderChoice={renderChoice} chooseAll={chooseAll} />
      )}
      <div className={css.footer}>{props.footer}</div>
    </div>
  )
}

type Choosing<Row> = { renderChoice: ((row: Row) => ReactNode) | undefined }

function WideTable<Row>(props: Props<Row> & Choosing<Row> & { chooseAll: ReactNode }) {
  const { chooseAll, label, columns, rows, rowId, busy, sort = '', onSort, selection, renderActions } = props
  const { renderChoice } = props
  return (
    <table className={css.table} aria-label={label} aria-busy={busy}>
      <thead>
        <tr>
          {chooseAll && <th className={`${css.head} ${css.choice}`}>{chooseAll}</th>}
          {columns.map((column) => (
            <ColumnHead key={column.head} look={column} sort={sort} onSort={onSort}>
              {column.head}
            </ColumnHead>
          ))}
          {renderActions && (
            <ColumnHead look={{ width: '148px', align: 'end' }} sort={sort}>
              <span className={hidden.hidden}>Actions</span>
            </ColumnHead>
          )}
        </tr>
      </thead>
      {rows ? (
        <tbody>
          {rows.map((row) => (
            <tr key={rowId(row)} className={css.row} data-chosen={selection?.ids.has(rowId(row))}>
              {renderChoice && <td className={`${css.cell} ${css.choice}`}>{renderChoice(row)}</td>}
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
          looks={columns}
          count={SKELETON_ROWS}
          withActions={renderActions !== undefined}
          withChoice={chooseAll !== undefined}
        />
      )}
    </table>
  )
}

function PhoneList<Row>(props: Props<Row> & Choosing<Row>) {
  const { label, rows, rowId, busy, selection, renderChoice, renderPhoneRow, renderPhoneActions } = props
  if (rows === undefined) return <SkeletonItems text={loadingText(label)} count={SKELETON_ROWS} />
  return (
    <ul className={css.list} aria-label={label} aria-busy={busy}>
      {rows.map((row) => (
        <li key={rowId(row)} className={css.item} data-chosen={selection?.ids.has(rowId(row))}>
          {renderChoice && <div className={css.itemChoice}>{renderChoice(row)}</div>}
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
