import type { ReactNode } from 'react'
import type { Selection } from '#src/lists/selection.ts'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import type { Column } from './column.ts'
import css from './data-table.module.css'
import { PhoneList } from './phone-list.tsx'
import type { Action } from './row-actions.tsx'
import { WideTable } from './wide-table.tsx'

/** Width of the window, in pixels, that a compact table needs. */
const COMPACT_PX = 1_000

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
  busy: boolean
  sort?: string
  onSort?: (sort: string) => void
  /** The actions of a row: icons, and the menu of the row. */
  actionsOf?: ((row: Row) => Action[]) | undefined
  /** Replaces the icons of `actionsOf`. */
  renderActions?: ((row: Row, actions: Action[]) => ReactNode) | undefined
  /** Called when the pointer or the focus comes near a row's actions, to preload their dialogs. */
  onIntent?: (() => void) | undefined
  /** The two lines of a row on a phone. */
  renderPhoneRow: (row: Row) => ReactNode
  /** Adds a checkbox to each row. */
  selection?: Selection
  /** For many columns and cells of two lines. Below `COMPACT_PX`, the rows are those of a phone. */
  isCompact?: boolean | undefined
}

/**
 * A page of records: a table with a sticky head, or a list of two-line rows on a phone. Sorting, searching and paging
 * are the caller's. A change of the selection renders only the changed rows, if all functions stay the same.
 *
 * @param props.footer Shown below the rows: the pager.
 */
export function DataTable<Row>({ footer, ...props }: TableProps<Row> & { footer: ReactNode }) {
  const isPhone = useIsPhone(props.isCompact ? COMPACT_PX : undefined)
  return (
    <div className={`${css.card} ${props.isCompact ? css.compact : ''}`}>
      {isPhone ? <PhoneList {...props} /> : <WideTable {...props} />}
      <div className={css.footer}>{footer}</div>
    </div>
  )
}
