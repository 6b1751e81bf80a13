import type { ReactNode } from 'react'
import css from './data-table.module.css'

/** The layout of a column. */
export type ColumnLayout = {
  width?: string
  align?: 'end'
  /** Sort key of the list, and the direction of the first click. */
  sort?: { by: string; first: 'ascending' | 'descending' }
  /** Minimum table width to show the column. */
  visibleFrom?: 'widest' | 'wide' | 'laptop' | 'medium'
  /** Width of the skeleton, as a CSS width. */
  skeleton?: string
}

export type Column<Row> = ColumnLayout & {
  head: string
  cell: (row: Row) => ReactNode
  /** Enter on a row clicks the first link or button of this column; by default of the first column. */
  isMain?: boolean
}

/** The class names of a cell in this column. */
export function classNames(base: string | undefined, layout: ColumnLayout): string {
  return [base, layout.align && css[layout.align], layout.visibleFrom && css[layout.visibleFrom]]
    .filter(Boolean)
    .join(' ')
}
