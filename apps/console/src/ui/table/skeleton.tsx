import { Bar, numbers, type SkeletonProps } from '#src/ui/page/skeleton-items.tsx'
import { classNames, type ColumnLayout } from './column.ts'
import css from './data-table.module.css'

export const SKELETON_ROWS = 12

/** Placeholder rows of a table. The same columns as the rows to come, to avoid a layout shift. */
export function SkeletonRows(
  props: SkeletonProps & { layouts: ColumnLayout[]; withActions: boolean; withCheckbox: boolean },
) {
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

/** "Loading API keys..." for the list "API Keys". */
export function loadingText(label: string): string {
  return `Loading ${label.replaceAll(/\b[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())}...`
}
