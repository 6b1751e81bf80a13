import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { SkeletonItems } from '#src/ui/page/skeleton-items.tsx'
import shape from '#src/ui/page/skeleton-items.module.css'
import css from './data-table.module.css'
import type { TableProps } from './table-props.ts'
import { SelectBox } from './select-box.tsx'
import { loadingText, SKELETON_ROWS } from './skeleton.tsx'
import { useRowSelection } from './use-row-selection.ts'

/** The rows of a table on a phone. */
export function PhoneList<Row>(props: TableProps<Row>) {
  const { label, rows, rowId, nameOf, busy, selection, renderPhoneRow, actionsOf, onIntent } = props
  const { skeletonRows = SKELETON_ROWS } = props
  const { selectRow } = useRowSelection(rows?.map(rowId) ?? [], selection)
  if (rows === undefined) {
    return <SkeletonItems text={loadingText(label)} count={skeletonRows} withCheckbox={selection !== undefined} />
  }
  return (
    <ul className="gray-while-busy" aria-label={label} aria-busy={busy}>
      {rows.map((row) => (
        <li key={rowId(row)} className={`${shape.item} ${css.item}`} data-selected={selection?.ids.has(rowId(row))}>
          {selection && (
            <div className={css.itemCheckbox}>
              <SelectBox
                label={`Select ${nameOf?.(row)}`}
                isSelected={selection.ids.has(rowId(row))}
                onSelect={(isSelected, isRange) => selectRow(rowId(row), isSelected, isRange)}
              />
            </div>
          )}
          <div className="grow">{renderPhoneRow(row)}</div>
          <RowMenu {...{ row, nameOf, actionsOf, onIntent }} />
        </li>
      ))}
    </ul>
  )
}

function RowMenu<Row>(props: Pick<TableProps<Row>, 'nameOf' | 'actionsOf' | 'onIntent'> & { row: Row }) {
  const { row, nameOf, actionsOf, onIntent } = props
  const actions = actionsOf?.(row) ?? []
  return actions.length > 0 && <MoreMenu label={nameOf?.(row) ?? ''} actions={actions} onIntent={onIntent} />
}
