import { Bar, numbers, type SkeletonProps } from '#src/ui/page/skeleton-items.tsx'
import { classNames, type ColumnLayout, mainOf } from './column.ts'
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
          {layouts.map((layout, column) => (
            // oxlint-disable-next-line react/no-array-index-key -- the columns never change
            <td key={column} className={classNames(css.cell, layout, layout === mainOf(layouts))}>
              {row + column === 0 && text ? text : <Bar width={layout.skeleton ?? '56px'} />}
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
