import { IconX } from '@tabler/icons-react'
import css from './filter-chip.module.css'

/** Chip of a filter without an input, set by a link, with a button to remove the filter. */
export function FilterChip({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <button type="button" className={css.chip} aria-label={`${text}: show all`} onClick={onClear}>
      {text}
      <IconX size={14} aria-hidden />
    </button>
  )
}
