import { changeTo, type Filter, valueText } from '#src/lists/filters.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { useFittingItems } from '#src/ui/page/use-fitting-items.ts'
import { FilterChip } from './filter-chip.tsx'
import css from './filter-chips.module.css'

/** Width of the button that counts the chips beyond the end. */
const MORE_PX = 48

type Props = { list: ListParams; filters: readonly Filter[]; onMore: () => void }

/**
 * A chip for each filter that is set, on one line. A button counts those beyond its end and opens the menu. On a phone, they
 * wrap.
 */
export function FilterChips({ list, filters, onMore }: Props) {
  const change = useChangeList()
  const { fitting, watch } = useFittingItems(MORE_PX)
  const shown = filters.flatMap((filter) => {
    const value = valueText(filter, list)
    return value === null ? [] : [{ filter, value }]
  })
  const hidden = Math.max(0, shown.length - fitting)
  return (
    <ul ref={watch} className={css.chips} aria-label="Filters">
      {shown.map(({ filter, value }, index) => (
        <li key={filter.label} className={index < fitting ? '' : css.hidden}>
          <FilterChip
            field={filter.label === '' ? undefined : filter.label}
            value={value}
            onClear={() => change(changeTo(filter, undefined))}
          />
        </li>
      ))}
      {hidden > 0 && (
        <li className={css.rest} data-more>
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
