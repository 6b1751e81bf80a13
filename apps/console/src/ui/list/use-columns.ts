import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { storedColumns } from '#src/lib/storage.ts'
import { arrangeColumns, type ArrangedColumn, arrangementOf } from '#src/ui/table/arrange-columns.ts'
import type { Column } from '#src/ui/table/column.ts'

/**
 * The chosen columns of a list: those of the URL, which a saved view sets, otherwise those that this browser keeps for
 * the list. A change stays where the present choice comes from.
 */
export function useColumns<Row>(list: string, columns: Column<Row>[]) {
  const { columns: ofUrl } = useSearch({ strict: false })
  const navigate = useNavigate()
  const storage = storedColumns(list)
  const [stored, setStored] = useState(storage.get)
  const arrangement = ofUrl ?? stored
  // The same array until the columns change, so that a selected row is the only one that renders.
  const { arranged, shown } = useMemo(() => {
    const all = arrangeColumns(columns, arrangement)
    const heads = all.filter(({ isShown }) => isShown).map(({ head }) => head)
    return { arranged: all, shown: heads.flatMap((head) => columns.filter((column) => column.head === head)) }
  }, [columns, arrangement])

  function change(next: readonly ArrangedColumn[]) {
    const text = arrangementOf(columns, next)
    if (ofUrl !== undefined) {
      void navigate({
        to: '.',
        search: (before) => ({ ...before, columns: text ?? undefined }),
        replace: true,
        resetScroll: false,
      })
      return
    }
    if (text === null) storage.remove()
    else storage.set(text)
    setStored(text)
  }

  return { arrangement, arranged, shown, change, reset: () => change(arrangeColumns(columns, null)) }
}
