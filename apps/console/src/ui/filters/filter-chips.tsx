import { useState } from 'react'
import { changeTo, type Filter, valueText } from '#src/lists/filters.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { FilterChip } from './filter-chip.tsx'
import css from './filter-chips.module.css'

type Props = { list: ListParams; filters: readonly Filter[]; onMore: () => void }

/** A chip for each filter that is set. On one line; a button counts those beyond its end and opens the menu. */
export function FilterChips({ list, filters, onMore }: Props) {
  const change = useChangeList()
  const [hidden, setHidden] = useState(0)
  const shown = filters.flatMap((filter) => {
    const value = valueText(filter, list)
    return value === null ? [] : [{ filter, value }]
  })
  const watch = (line: HTMLUListElement) => {
    const observer = new ResizeObserver(() => setHidden(wrappedItems(line)))
    observer.observe(line)
    return () => observer.disconnect()
  }
  if (shown.length === 0) return null
  return (
    <>
      <ul ref={watch} className={css.chips} aria-label="Filters">
        {shown.map(({ filter, value }, index) => (
          <li key={filter.label} inert={index >= shown.length - hidden}>
            <FilterChip
              field={filter.kind === 'link' && filter.label === '' ? undefined : filter.label}
              value={value}
              onClear={() => change(changeTo(filter, undefined))}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className={css.more} aria-label={`${hidden} more filters`} onClick={onMore}>
          +{hidden}
        </button>
      )}
    </>
  )
}

/** The number of items below the first line. */
function wrappedItems(list: HTMLElement): number {
  return [...list.children].filter((item) => item instanceof HTMLElement && item.offsetTop > list.offsetTop).length
}
