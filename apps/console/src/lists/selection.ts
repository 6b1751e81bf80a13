import { useState } from 'react'
import { filtersOf, type ListAddress } from './list-address.ts'

/** Selection of a list, across its pages. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Selection of all matching rows: rows that no longer match are excluded. */
  isByFilter: boolean
  choose: (ids: readonly string[], isChosen: boolean) => void
  chooseAll: (ids: readonly string[]) => void
  clear: () => void
}

const NONE = { ids: new Set<string>(), isByFilter: false }

/** The selection of a list. Cleared when the filters change, kept over pages and sort orders. */
export function useSelection(list: ListAddress): Selection {
  const narrowed = JSON.stringify(filtersOf(list).map((name) => [name, list[name]]))
  const [kept, setKept] = useState({ ...NONE, narrowed })
  const { ids, isByFilter } = kept.narrowed === narrowed ? kept : NONE
  // Cleared permanently: a return to the former filters does not restore the selection.
  if (kept.narrowed !== narrowed) setKept({ ...NONE, narrowed })
  return {
    ids,
    isByFilter,
    choose: (changed, isChosen) => {
      const next = new Set(ids)
      for (const id of changed) {
        if (isChosen) next.add(id)
        else next.delete(id)
      }
      setKept({ ids: next, isByFilter: isByFilter && next.size > 0, narrowed })
    },
    chooseAll: (all) => setKept({ ids: new Set(all), isByFilter: true, narrowed }),
    clear: () => setKept({ ...NONE, narrowed }),
  }
}
