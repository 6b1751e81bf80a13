import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import css from './filter-sheet.module.css'
import { FilterView } from './filter-view.ts'

type Props = {
  /** Absent when no filter is set. */
  onClear: (() => void) | undefined
  onClose: () => void
  /** Filters and order of the list. */
  children: ReactNode
}

/** The filters and the order of a list, at the bottom of a phone's screen. A change applies at once. */
export function FilterSheet({ onClear, onClose, children }: Props) {
  return (
    <SlideOver label="Filters" from="bottom" onClose={onClose}>
      <div className={css.sheet}>
        {/* Focus on the title: focus on a text field would open the keyboard over the sheet. */}
        <h2 className={css.title} tabIndex={-1} data-autofocus>
          Filters
        </h2>
        <div className={css.fields}>
          <FilterView value="sheet">{children}</FilterView>
        </div>
        <div className={css.buttons}>
          <Button variant="default" disabled={onClear === undefined} onClick={onClear}>
            Clear filters
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </SlideOver>
  )
}
