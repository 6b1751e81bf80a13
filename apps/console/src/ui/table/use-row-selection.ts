import { useRef } from 'react'
import type { Selection } from '#src/lists/selection.ts'

/** Selection of the rows of a page: single rows, ranges with Shift, or all rows. */
export function useRowChoice(ids: readonly string[], { ids: chosen, choose }: Pick<Selection, 'ids' | 'choose'>) {
  const last = useRef<string | null>(null)
  const count = ids.filter((id) => chosen.has(id)).length
  return {
    isAll: ids.length > 0 && count === ids.length,
    isPartly: count > 0 && count < ids.length,
    chooseAll: (isChosen: boolean) => choose(ids, isChosen),
    chooseRow: (id: string, isChosen: boolean, isRange: boolean) => {
      const from = isRange && last.current !== null ? ids.indexOf(last.current) : -1
      const to = ids.indexOf(id)
      choose(from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1), isChosen)
      last.current = id
    },
  }
}
