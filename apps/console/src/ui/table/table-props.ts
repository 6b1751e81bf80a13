import type { ReactNode } from 'react'
import type { Selection } from '#src/lists/selection.ts'
import type { Column } from './column.ts'
import type { Action } from './action.ts'

export type TableProps<Row> = {
  /** Accessible name: "Tenants". */
  label: string
  columns: Column<Row>[]
  /** Undefined while the first page loads. */
  rows: Row[] | undefined
  rowId: (row: Row) => string
  /** Accessible name of a row, used in the labels of its controls; by default the text of its cells. */
  nameOf?: ((row: Row) => string) | undefined
  /** True while the table still shows the previous page. */
  busy?: boolean
  sort?: string
  onSort?: (sort: string) => void
  actionsOf?: ((row: Row) => Action[]) | undefined
  /** A row with one cell across all columns, such as the head of a group. Undefined for a row of cells. */
  renderWide?: ((row: Row) => ReactNode) | undefined
  /** Called when the pointer or the focus comes near a row's actions, to preload their dialogs. */
  onIntent?: (() => void) | undefined
  renderPhoneRow: (row: Row) => ReactNode
  /** Adds a checkbox to each row. */
  selection?: Selection | undefined
  /** Number of placeholder rows: few in a table above other sections, which move when the rows come. */
  skeletonRows?: number | undefined
  /** For many columns and cells of two lines. Below `COMPACT_PX`, the rows are those of a phone. */
  isCompact?: boolean | undefined
}
