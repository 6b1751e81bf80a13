import type { ReactNode } from 'react'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './data-table.module.css'
import { PhoneList } from './phone-list.tsx'
import type { TableProps } from './table-props.ts'
import { WideTable } from './wide-table.tsx'

/** Width of the window, in pixels, that a compact table needs. */
const COMPACT_PX = 1_000

/**
 * A page of records: a table with a sticky head, or a list of two-line rows on a phone. Sorting, searching and paging
 * are the caller's. A change of the selection renders only the changed rows, if all functions stay the same.
 *
 * @param props.footer Shown below the rows: the pager.
 */
export function DataTable<Row>({ footer, ...props }: TableProps<Row> & { footer?: ReactNode }) {
  const isPhone = useIsPhone(props.isCompact ? COMPACT_PX : undefined)
  return (
    <div className={`${css.card} ${props.isCompact ? css.compact : ''}`}>
      {isPhone ? <PhoneList {...props} /> : <WideTable {...props} />}
      <div className={css.footer}>{footer}</div>
    </div>
  )
}
