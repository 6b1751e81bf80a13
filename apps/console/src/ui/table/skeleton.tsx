import { classNames, type ColumnLayout } from './column.ts'
import css from './data-table.module.css'

export const SKELETON_ROWS = 12

type Props = {
  /** Shown in the first cell: "Loading tenants...". Screen readers get the text from an `Announcement`. */
  text?: string | undefined
  count: number
}

/** Placeholder rows of a table. The same columns as the rows to come, to avoid a layout shift. */
export function SkeletonRows(props: Props & { layouts: ColumnLayout[]; withActions: boolean; withCheckbox: boolean }) {
  const { text, layouts, count, withActions, withCheckbox } = props
  return (
    <tbody aria-hidden>
      {numbers(count).map((row) => (
        <tr key={row}>
          {withCheckbox && (
            <td className={`${css.cell} ${css.checkbox}`}>
              <Bar width="16px" />
            </td>
          )}
          {numbers(layouts.length).map((column) => (
            <td key={column} className={classNames(css.cell, layouts[column] ?? {})}>
              {row + column === 0 && text ? text : <Bar width={layouts[column]?.skeleton ?? '60%'} />}
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

/** Placeholder items of a list. */
export function SkeletonItems({ text, count, withCheckbox = false }: Props & { withCheckbox?: boolean }) {
  return (
    <ul aria-hidden>
      {numbers(count).map((row) => (
        <li key={row} className={css.item}>
          {withCheckbox && (
            <div className={css.itemBox}>
              <Bar width="16px" />
            </div>
          )}
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

/** "Loading tenants..." for the list "Tenants". */
export function loadingText(label: string): string {
  return `Loading ${label.toLowerCase()}...`
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function Bar({ width }: { width: string }) {
  return <span className={css.bar} style={{ width }} />
}
