import type { ReactNode } from 'react'
import css from './data-table.module.css'

/** The layout of a column. */
export type ColumnLayout = {
  /**
   * For a text that may be cut, with a tooltip: its share of the table. The main column takes the rest of the table, and
   * all other columns are as wide as their content.
   */
  width?: `${number}%`
  align?: 'end'
  /** Sort key of the list, and the direction of the first click. */
  sort?: { by: string; first: 'ascending' | 'descending' }
  /** Minimum table width to show the column. */
  visibleFrom?: 'wide' | 'laptop' | 'medium' | 'small'
  /** Width of the skeleton, as a CSS width: a percentage only in a column that may be cut. */
  skeleton?: string
  /** Enter on a row clicks the first link or button of this column; by default of the first column. */
  isMain?: boolean
}

export type Column<Row> = ColumnLayout & {
  head: string
  cell: (row: Row) => ReactNode
  /** A list of one tenant leaves the column out. */
  isOfTenant?: boolean
  /** Hidden until somebody chooses it. */
  isOptional?: boolean
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

/** The column that names a record and opens it. */
export function mainOf<Layout extends ColumnLayout>(columns: readonly Layout[]): Layout | undefined {
  return columns.find(({ isMain }) => isMain) ?? columns[0]
}

/** The class names of a cell in this column. */
export function classNames(base: string | undefined, layout: ColumnLayout, isMain = false): string {
  const size = isMain ? css.main : layout.width ? css.cut : css.fit
  return [base, size, layout.align && css[layout.align], layout.visibleFrom && css[layout.visibleFrom]]
    .filter(Boolean)
    .join(' ')
}
