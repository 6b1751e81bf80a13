import { Button } from '@mantine/core'
import type { ComponentProps } from 'react'
import { changeToNone, valueText } from '#src/lists/filters.ts'
import { useChangeList } from '#src/lists/list-params.ts'
import { SlideOver } from '#src/ui/dialog/slide-over.tsx'
import css from './filter-button.module.css'
import { FilterMenu } from './filter-menu.tsx'

/** The filters and the order of a list, at the bottom of a phone's screen. A change applies at once. */
export function FilterSheet({ onClose, ...menu }: ComponentProps<typeof FilterMenu>) {
  const { list, filters } = menu
  const change = useChangeList()
  return (
    <SlideOver label="Filters" from="bottom" onClose={onClose}>
      <div className={css.sheet}>
        {/* Focus on the title: focus on a text field would open the keyboard over the sheet. */}
        <h2 className={css.title} tabIndex={-1} data-autofocus>
          Filters
        </h2>
        <FilterMenu {...menu} onClose={onClose} />
        <div className={css.buttons}>
          <Button
            variant="default"
            disabled={filters.every((filter) => valueText(filter, list) === null)}
            onClick={() => change(changeToNone(filters))}
          >
            Clear Filters
          </Button>
          <Button onClick={onClose}>Done</Button>
        </div>
      </div>
    </SlideOver>
  )
}
