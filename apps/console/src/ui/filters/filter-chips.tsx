import { useState } from 'react'
import { changeTo, type Filter, valueText } from '#src/lists/filters.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { FilterChip } from './filter-chip.tsx'
import css from './filter-chips.module.css'

const GAP_PX = 8
/** Width of the button that counts the chips beyond the end. */
const MORE_PX = 48

type Props = { list: ListParams; filters: readonly Filter[]; onMore: () => void }

/** A chip for each filter that is set, on one line. A button counts those beyond its end and opens the menu. */
export function FilterChips({ list, filters, onMore }: Props) {
  const change = useChangeList()
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY)
  const shown = filters.flatMap((filter) => {
    const value = valueText(filter, list)
    return value === null ? [] : [{ filter, value }]
  })
  const watch = (line: HTMLUListElement) => {
    const observer = new ResizeObserver(() => setFitting(fittingItems(line)))
    observer.observe(line)
    return () => observer.disconnect()
  }
  const hidden = Math.max(0, shown.length - fitting)
  return (
    <ul ref={watch} className={css.chips} aria-label="Filters">
      {shown.map(({ filter, value }, index) => (
        <li key={filter.label} className={index < fitting ? '' : css.hidden} inert={index >= fitting}>
          <FilterChip
            field={filter.label === '' ? undefined : filter.label}
            value={value}
            onClear={() => change(changeTo(filter, undefined))}
          />
        </li>
      ))}
      {hidden > 0 && (
        <li className={css.rest}>
          <button
            type="button"
            className={css.more}
            aria-label={`${hidden} more ${hidden === 1 ? 'filter' : 'filters'}`}
            onClick={onMore}
          >
            +{hidden}
          </button>
        </li>
      )}
    </ul>
  )
}

/** The number of chips that fit on the line, with room for the button if they are not all. */
function fittingItems(line: HTMLElement): number {
  // A phone wraps the chips instead.
  if (getComputedStyle(line).flexWrap === 'wrap') return Number.POSITIVE_INFINITY
  const widths = [...line.querySelectorAll<HTMLElement>(':scope > li:has([aria-label$=": show all"])')].map(
    (item) => item.offsetWidth + GAP_PX,
  )
  const room = line.clientWidth + GAP_PX
  const ends = widths.map((_, index) => widths.slice(0, index + 1).reduce((sum, width) => sum + width, 0))
  if ((ends.at(-1) ?? 0) <= room) return Number.POSITIVE_INFINITY
  return ends.filter((end) => end <= room - MORE_PX).length
}
