import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Suspense } from 'react'
import { ColumnHead } from './data-table-head.tsx'
import { lazyPart } from '#src/lib/lazy.tsx'
import type { Selection } from '#src/lib/selection.ts'
import { BodyRow, SkeletonItems, SkeletonRows } from './data-table-rows.tsx'
import css from './data-table.module.css'
import { SelectBox } from './select-box.tsx'
import { useRowChoice } from './use-row-choice.ts'
import hidden from '#src/ui/page/visually-hidden.module.css'

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
const VIRTUAL_FROM = 51
/** So many fill a window while the code for more comes. */
const FIRST_ROWS = 25
const SKELETON_ROWS = 12
const NO_SELECTION = { ids: new Set<string>(), choose: () => undefined }

const VirtualBody = lazyPart(() => import('./data-table-virtual.tsx').then((code) => code.VirtualBody))

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
  /** Rows can be chosen; readers hear them by `nameOf`. */
  selection?: Selection
  nameOf?: (row: Row) => string
  /** Below the rows: pages. */
  footer: ReactNode
}

/**
 * A list of records: a table with a sticky head, on phones two-line rows. It only shows; what is sorted, searched and
 * paged is the caller's, and comes from the address.
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
  const { chooseAll, label, columns, rows, busy, sort = '', onSort, renderActions } = props
  return (
    <table className={css.table} aria-label={label} aria-busy={busy} aria-rowcount={rows ? rows.length + 1 : -1}>
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
        <Body {...props} rows={rows} />
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

function Body<Row>({
  columns,
  rows,
  rowId,
  selection,
  renderChoice,
  renderActions,
}: Props<Row> & Choosing<Row> & { rows: Row[] }) {
  const renderRow = (row: Row, index: number) => (
    <BodyRow
      key={rowId(row)}
      row={row}
      columns={columns}
      index={index}
      choice={renderChoice?.(row)}
      isChosen={selection?.ids.has(rowId(row))}
      actions={renderActions?.(row)}
    />
  )
  if (rows.length < VIRTUAL_FROM) return <tbody>{rows.map(renderRow)}</tbody>
  return (
    <Suspense fallback={<tbody>{rows.slice(0, FIRST_ROWS).map(renderRow)}</tbody>}>
      <VirtualBody
        count={rows.length}
        renderRow={(index) => rows.slice(index, index + 1).map((row) => renderRow(row, index))}
        fallback={<tbody>{rows.map(renderRow)}</tbody>}
      />
    </Suspense>
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

/** "Loading tenants..." for the list "Tenants" (spec §2, Tenants). */
function loadingText(label: string): string {
  return `Loading ${label.toLowerCase()}...`
}
