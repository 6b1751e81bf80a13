import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { classNames, type ColumnLook } from './column.ts'
import css from './data-table.module.css'

type Props = { look: ColumnLook; sort: string; onSort?: ((sort: string) => void) | undefined; children: ReactNode }

/** The header cell of a column, with a button if the list can be sorted by the column. */
export function ColumnHead({ look, sort, onSort, children }: Props) {
  const direction = look.sort && directionOf(look.sort.by, sort)
  const Arrow = (direction ?? look.sort?.first) === 'ascending' ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      className={classNames(css.head, look)}
      style={{ width: look.width }}
      {...(direction && { 'aria-sort': direction })}
    >
      {look.sort ? (
        <button
          type="button"
          className={css.sort}
          onClick={() => look.sort && onSort?.(sortAfterClick(look.sort, direction))}
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
  sort: NonNullable<ColumnLook['sort']>,
  direction: 'ascending' | 'descending' | undefined,
): string {
  const ascending = direction === undefined ? sort.first === 'ascending' : direction === 'descending'
  return ascending ? sort.by : `-${sort.by}`
}
