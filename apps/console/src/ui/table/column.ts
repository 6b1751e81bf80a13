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
  /** A list of one tenant leaves the column out. */
  isOfTenant?: boolean
}

/**
 * Columns for the list of one tenant: without the name of the tenant, so that narrower tables have space for the next
 * columns.
 */
export function columnsOfTenant<Row>(columns: readonly Column<Row>[]): Column<Row>[] {
  return columns
    .filter(({ isOfTenant = false }) => !isOfTenant)
    .map((column) => (column.visibleFrom === 'wide' ? { ...column, visibleFrom: 'laptop' } : column))
}

/** The class names of a cell in this column. */
export function classNames(base: string | undefined, layout: ColumnLayout): string {
  return [base, layout.align && css[layout.align], layout.visibleFrom && css[layout.visibleFrom]]
    .filter(Boolean)
    .join(' ')
}
