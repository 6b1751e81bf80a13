import { useCallback, useState } from 'react'
import { filtersOf, type ListParams } from './list-params.ts'

/** The selected rows of a list, across its pages. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Whether all matching rows were selected. A bulk action then skips rows that no longer match. */
  isByFilter: boolean
  set: (ids: readonly string[], isSelected: boolean) => void
  /** Selects all matching rows, given their ids. */
  setAll: (ids: readonly string[]) => void
  clear: () => void
}

const NONE = { ids: new Set<string>(), isByFilter: false }

/** The selection of a list. Cleared when the filters change, kept over pages and sort orders. */
export function useSelection(list: ListParams): Selection {
  const filters = JSON.stringify(filtersOf(list).map((name) => [name, list[name]]))
  const [state, setState] = useState({ ...NONE, filters })
  const { ids, isByFilter } = state.filters === filters ? state : NONE
  // Cleared permanently: a return to the former filters does not restore the selection.
  if (state.filters !== filters) setState({ ...NONE, filters })
  // The same function after a change of the selection, so that unchanged rows need no render.
  const set = useCallback(
    (changed: readonly string[], isSelected: boolean) =>
      setState((before) => {
        const next = new Set(before.ids)
        for (const id of changed) {
          if (isSelected) next.add(id)
          else next.delete(id)
        }
        return { ...before, ids: next, isByFilter: before.isByFilter && next.size > 0 }
      }),
    [],
  )
  return {
    ids,
    isByFilter,
    set,
    setAll: (all) => setState({ ids: new Set(all), isByFilter: true, filters }),
    clear: () => setState({ ...NONE, filters }),
  }
}
