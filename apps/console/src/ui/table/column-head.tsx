import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { classNames, type ColumnLayout } from './column.ts'
import css from './data-table.module.css'

type Props = {
  layout: ColumnLayout
  isMain?: boolean
  sort: string
  onSort?: ((sort: string) => void) | undefined
  children: ReactNode
}

/** The header cell of a column, with a button if the list can be sorted by the column. */
export function ColumnHead({ layout, isMain, sort, onSort, children }: Props) {
  const direction = layout.sort && directionOf(layout.sort.by, sort)
  const Arrow = (direction ?? layout.sort?.first) === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={classNames(css.head, layout, isMain)}
      style={{ width: layout.width }}
      {...(direction && { 'aria-sort': direction })}
    >
      {layout.sort ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => layout.sort && onSort?.(sortAfterClick(layout.sort, direction))}
        >
          {children}
          <Arrow size={12} aria-hidden />
        </button>
      ) : (
        children
      )}
    </th>
  )
}

function directionOf(by: string, sort: string): 'ascending' | 'descending' | undefined {
  if (sort === by) return 'ascending'
  return sort === `-${by}` ? 'descending' : undefined
}

function sortAfterClick(
  sort: NonNullable<ColumnLayout['sort']>,
  direction: 'ascending' | 'descending' | undefined,
): string {
  const ascending = direction === undefined ? sort.first === 'ascending' : direction === 'descending'
  return ascending ? sort.by : `-${sort.by}`
}
