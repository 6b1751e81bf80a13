import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ColumnLook } from './data-table.tsx'
import css from './data-table.module.css'

type Props = { look: ColumnLook; sort: string; onSort?: ((sort: string) => void) | undefined; children: ReactNode }

/** Header of a column; a button for sortable columns. */
export function ColumnHead({ look, sort, onSort, children }: Props) {
  const direction = look.sort && directionOf(look.sort.by, sort)
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
          {(direction ?? look.sort.first) === 'ascending' ? (
            <IconArrowUp size={12} aria-hidden />
          ) : (
            <IconArrowDown size={12} aria-hidden />
          )}
        </button>
      ) : (
        children
      )}
    </th>
  )
}

/** Class names of a column. */
export function classNames(base: string | undefined, look: ColumnLook): string {
  return [base, look.align && css[look.align], look.only && css[look.only]].filter(Boolean).join(' ')
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
