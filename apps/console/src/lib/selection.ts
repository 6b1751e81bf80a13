import { useState } from 'react'
import { filtersOf, type ListAddress } from './list-address.ts'

/** What is chosen in a list, over all of its pages. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Chosen as all that match, not row by row: what matches no more is not meant. */
  isByFilter: boolean
  choose: (ids: readonly string[], isChosen: boolean) => void
  chooseAll: (ids: readonly string[]) => void
  clear: () => void
}

const NONE = { ids: new Set<string>(), isByFilter: false }

/** The selection of a list: empty again as soon as the list is narrowed otherwise, but not by another page or order. */
export function useSelection(list: ListAddress): Selection {
  const narrowed = JSON.stringify(filtersOf(list).map((name) => [name, list[name]]))
  const [kept, setKept] = useState({ ...NONE, narrowed })
  const { ids, isByFilter } = kept.narrowed === narrowed ? kept : NONE
  // Let go for good: the former filters do not bring it back.
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
