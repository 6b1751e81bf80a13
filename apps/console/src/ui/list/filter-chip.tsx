import { IconX } from '@tabler/icons-react'
import css from './filter-chip.module.css'

/** Says what a list is narrowed to, where only a link asks for it, and ends that. */
export function FilterChip({ text, onClear }: { text: string; onClear: () => void }) {
  return (
    <button type="button" className={css.chip} aria-label={`${text}: show all`} onClick={onClear}>
      {text}
      <IconX size={14} aria-hidden />
    </button>
  )
}
