import { Button } from '@mantine/core'
import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import { type ReactNode, useRef } from 'react'
import { changeToNone, type Filter, type FilterOption, valueText } from '#src/lists/filters.ts'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { focusTitle } from '#src/ui/dialog/use-focus-return.ts'
import { Select } from '#src/ui/field/select.tsx'
import { FilterButton } from '#src/ui/filters/filter-button.tsx'
import { FilterChips } from '#src/ui/filters/filter-chips.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './list-tools.module.css'
import { SearchField } from './search-field.tsx'

type Props = {
  list: ListParams
  /** Absent for lists without a search. */
  searchLabel?: string | undefined
  filters?: readonly Filter[]
  /** The sort orders, in the menu of the filters. Absent for a list with one order. */
  sorts?: readonly FilterOption[] | undefined
  /** Shows the orders beside the filters, for a list without column heads. */
  isSortShown?: boolean
  /** A switch between views of the list. Hidden on a phone. */
  views?: ReactNode
  /** "46 of 300" */
  note?: string | undefined
  /** The menu of the list, which a phone has beside the title. */
  children?: ReactNode
}

const NO_FILTERS: readonly Filter[] = []

/** Search, filters and result of a list, on one line. Each change returns to the first page. */
export function ListTools(props: Props) {
  const { list, searchLabel, filters = NO_FILTERS, sorts, isSortShown = false, views, note, children } = props
  const change = useChangeList()
  const isPhone = useIsPhone()
  const line = useRef<HTMLElement>(null)
  const count = filters.filter((filter) => valueText(filter, list) !== null).length
  const isSortBeside = isSortShown && !isPhone
  const menuSorts = isSortBeside ? undefined : sorts
  return (
    <search ref={line} className={css.tools}>
      {searchLabel !== undefined && (
        <div className={css.search}>
          <SearchField
            label={searchLabel}
            value={list.q ?? ''}
            maxLength={SEARCH_MAX}
            // One history entry per search, not per pause in typing.
            onSearch={(q) => change({ q }, { replace: list.q !== undefined })}
          />
        </div>
      )}
      {(filters.length > 0 || menuSorts) && (
        <FilterButton list={list} filters={filters} sorts={menuSorts} count={count} />
      )}
      {isSortBeside && sorts && (
        <Select
          aria-label="Sort by"
          value={list.sort}
          options={sorts}
          onChange={(event) => change({ sort: event.currentTarget.value })}
        />
      )}
      {(count > 0 || note !== undefined) && (
        <div className={css.result}>
          {count > 0 && (
            <FilterChips
              list={list}
              filters={filters}
              onMore={() => line.current?.querySelector<HTMLElement>('[aria-keyshortcuts="F"]')?.click()}
            />
          )}
          {count > 0 && !isPhone && (
            <Button
              variant="subtle"
              color="gray"
              flex="none"
              onClick={() => {
                // The button disappears with the filters.
                focusTitle()
                change(changeToNone(filters))
              }}
            >
              Clear
            </Button>
          )}
          {note !== undefined && (
            <span className={css.note} data-tooltip="cut">
              {note}
            </span>
          )}
        </div>
      )}
      {!isPhone && (
        <div className={css.end}>
          {views}
          {children}
        </div>
      )}
    </search>
  )
}
