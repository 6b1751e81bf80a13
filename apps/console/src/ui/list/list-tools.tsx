import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import type { ReactNode } from 'react'
import { type ListAddress, useChangeList } from '#src/lists/list-address.ts'
import { ExportButton } from './export-button.tsx'
import { FilterSelect } from './filter-select.tsx'
import css from './list-tools.module.css'
import { SearchField } from './search-field.tsx'

type Props = {
  list: ListAddress
  /** Absent for lists without a search. */
  searchLabel?: string
  /** The sort orders, for narrow screens with hidden column heads. */
  sorts: readonly { value: string; label: string }[]
  /** Filters. */
  children?: ReactNode
  onExport: () => void
}

/** Search, filters, export and, on narrow screens, the order of a list. Each change returns to the first page. */
export function ListTools({ list, searchLabel, sorts, children, onExport }: Props) {
  const change = useChangeList()
  return (
    <search className={css.tools}>
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
      {children}
      <div className={css.sort}>
        <FilterSelect label="Sort by" value={list.sort} options={sorts} onChange={(sort) => change({ sort })} />
      </div>
      <div className={css.export}>
        <ExportButton onExport={onExport} />
      </div>
    </search>
  )
}
