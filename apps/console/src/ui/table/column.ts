import type { ReactNode } from 'react'
import css from './data-table.module.css'

/** The layout of a column. */
export type ColumnLook = {
  width?: string
  align?: 'end'
  /** Sort key of the list, and the direction of the first click. */
  sort?: { by: string; first: 'ascending' | 'descending' }
  /** Minimum table width to show the column. */
  only?: 'wide' | 'medium'
  /** Width of the skeleton, as a CSS width. */
  skeleton?: string
}

export type Column<Row> = ColumnLook & { head: string; cell: (row: Row) => ReactNode }

/** The class names of a cell in this column. */
export function classNames(base: string | undefined, look: ColumnLook): string {
  return [base, look.align && css[look.align], look.only && css[look.only]].filter(Boolean).join(' ')
}
