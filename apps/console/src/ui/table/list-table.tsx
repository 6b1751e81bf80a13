import type { ReactNode } from 'react'
import type { ListPage } from '#src/lib/call.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import type { Selection } from '#src/lists/selection.ts'
import type { Column } from './column.ts'
import { DataTable } from './data-table.tsx'
import { MoreMenu } from '#src/ui/dialog/more-menu.tsx'
import { Pager } from '#src/ui/list/pager.tsx'
import { type Action, RowActions } from './row-actions.tsx'

type Props<Row> = {
  label: string
  columns: Column<Row>[]
  /** Undefined while the first page loads. */
  page: ListPage<Row[]> | undefined
  list: ListParams
  busy: boolean
  /** Accessible name of the row, used in the labels of its actions. */
  nameOf: (row: Row) => string
  actionsOf: (row: Row) => Action[]
  selection: Selection
  /** Preloads the code of a dialog. */
  onIntent: () => void
  renderPhoneRow: (row: Row) => ReactNode
}

/** A page of a list with its actions per row. The URL holds the order and the page. */
export function ListTable<Row extends { id: string }>(props: Props<Row>) {
  const { label, columns, page, list, busy, selection, nameOf, actionsOf, onIntent, renderPhoneRow } = props
  const change = useChangeList()
  const withActions = (row: Row, render: (actions: Action[]) => ReactNode) => {
    const actions = actionsOf(row)
    return actions.length === 0 ? null : render(actions)
  }
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={page?.rows}
      rowId={(row) => row.id}
      busy={busy}
      selection={selection}
      nameOf={nameOf}
      sort={list.sort}
      onSort={(sort) => change({ sort })}
      renderActions={(row) =>
        withActions(row, (actions) => <RowActions label={nameOf(row)} actions={actions} onIntent={onIntent} />)
      }
      renderPhoneRow={renderPhoneRow}
      renderPhoneActions={(row) =>
        withActions(row, (actions) => <MoreMenu label={nameOf(row)} actions={actions} onIntent={onIntent} />)
      }
      footer={<Pager page={page} limit={list.limit} />}
    />
  )
}
