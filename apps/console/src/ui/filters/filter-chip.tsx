import { IconX } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import css from './filter-chip.module.css'
import { FilterView } from './filter-view.ts'

type Props = {
  text: string
  /** Shown instead of the text. */
  children?: ReactNode
  onClear: () => void
}

/** Chip of a filter without a field, set by a link, or of any filter on a phone. A click removes the filter. */
export function FilterChip({ text, children = text, onClear }: Props) {
  if (use(FilterView) === 'sheet') return null
  return (
    <button
      type="button"
      className={css.chip}
      aria-label={`${text}: show all`}
      onClick={() => {
        // The button disappears with its filter.
        focusTitle()
        onClear()
      }}
    >
      <span className={css.face}>
        <span className={css.text} dir="auto">
          {children}
        </span>
        <IconX size={14} aria-hidden />
      </span>
    </button>
  )
}
