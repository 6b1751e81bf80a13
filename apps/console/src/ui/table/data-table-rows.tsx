import type { ReactNode } from 'react'
import { classNames } from './data-table-head.tsx'
import type { Column, ColumnLook } from './data-table.tsx'
import css from './data-table.module.css'

type BodyRowProps<Row> = {
  row: Row
  columns: Column<Row>[]
  index: number
  choice: ReactNode
  isChosen: boolean | undefined
  actions: ReactNode
}

export function BodyRow<Row>({ row, columns, index, choice, isChosen, actions }: BodyRowProps<Row>) {
  return (
    // The head is row 1.
    <tr className={css.row} aria-rowindex={index + 2} data-chosen={isChosen}>
      {choice !== undefined && <td className={`${css.cell} ${css.choice}`}>{choice}</td>}
      {columns.map((column) => (
        <td key={column.head} className={classNames(css.cell, column)}>
          {column.cell(row)}
        </td>
      ))}
      {actions !== undefined && <td className={`${css.cell} ${css.actions}`}>{actions}</td>}
    </tr>
  )
}

type SkeletonProps = {
  /** "Loading tenants...", in place of the first name. Screen readers hear the text from an `Announcement`. */
  text?: string | undefined
  count: number
}

/** Skeleton rows in the size of the content, to prevent layout shift. */
export function SkeletonRows(
  props: SkeletonProps & { looks: ColumnLook[]; withActions: boolean; withChoice: boolean },
) {
  const { text, looks, count, withActions, withChoice } = props
  return (
    <tbody aria-hidden>
      {numbers(count).map((row) => (
        <tr key={row}>
          {withChoice && (
            <td className={`${css.cell} ${css.choice}`}>
              <Bar width="16px" />
            </td>
          )}
          {numbers(looks.length).map((column) => (
            <td key={column} className={classNames(css.cell, looks[column] ?? {})}>
              {row + column === 0 && text ? text : <Bar width={looks[column]?.skeleton ?? '60%'} />}
            </td>
          ))}
          {withActions && (
            <td className={`${css.cell} ${css.actions}`}>
              <Bar width="48px" />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  )
}

export function SkeletonItems({ text, count }: SkeletonProps) {
  return (
    <ul aria-hidden>
      {numbers(count).map((row) => (
        <li key={row} className={css.item}>
          <div className={css.itemMain}>
            {row === 0 && text ? text : <Bar width="50%" />}
            <br />
            <Bar width="70%" />
          </div>
        </li>
      ))}
    </ul>
  )
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function Bar({ width }: { width: string }) {
  return <span className={css.bar} style={{ width }} />
}
