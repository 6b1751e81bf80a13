import { IconX } from '@tabler/icons-react'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import css from './filter-chip.module.css'

type Props = {
  /** Name of the filter: "Status". Absent for a filter that its value explains. */
  field?: string | undefined
  value: string
  onClear: () => void
}

/** Chip of a filter that is set. A click removes the filter. */
export function FilterChip({ field, value, onClear }: Props) {
  return (
    <button
      type="button"
      className={css.chip}
      aria-label={`${field === undefined ? '' : `${field} `}${value}: show all`}
      onClick={() => {
        // The button disappears with its filter.
        focusTitle()
        onClear()
      }}
    >
      <span className={css.face}>
        {field !== undefined && <span className={css.field}>{field}</span>}{' '}
        <bdi className={css.value} data-tooltip="cut">
          {value}
        </bdi>
        <IconX size={14} aria-hidden />
      </span>
    </button>
  )
}
