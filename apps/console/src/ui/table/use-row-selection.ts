import { useCallback, useRef } from 'react'
import type { Selection } from '#src/lists/selection.ts'

const NO_SELECTION = { ids: new Set<string>(), set: () => undefined }

/** Selection of the rows of a page: single rows, ranges with Shift, or all rows. */
export function useRowSelection(
  ids: readonly string[],
  { ids: selected, set }: Pick<Selection, 'ids' | 'set'> = NO_SELECTION,
) {
  const last = useRef<string | null>(null)
  const count = ids.filter((id) => selected.has(id)).length
  // The same function after a change of the selection, so that the other rows need no render.
  const selectRow = useCallback(
    (id: string, isSelected: boolean, isRange: boolean) => {
      const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1
      const to = ids.indexOf(id)
      set(from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected)
      last.current = id
    },
    [ids, set],
  )
  return {
    isAll: ids.length > 0 && count === ids.length,
    isIndeterminate: count > 0 && count < ids.length,
    selectAll: (isSelected: boolean) => set(ids, isSelected),
    selectRow,
  }
}
