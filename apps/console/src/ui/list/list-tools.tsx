import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import type { ReactNode } from 'react'
import { type ListAddress, useChangeList } from '#src/lib/list-address.ts'
import { ExportButton } from './export-button.tsx'
import { FilterSelect } from './filter-select.tsx'
import css from './list-tools.module.css'
import { SearchField } from './search-field.tsx'

type Props = {
  list: ListAddress
  /** Leave it out where nothing can be searched. */
  searchLabel?: string
  /** For where not all heads are there to click. */
  sorts: readonly { value: string; label: string }[]
  /** Filters. */
  children?: ReactNode
  onExport: () => void
}

/** Above a list: search, filters, and on narrow screens the order. Each change starts again at the first page. */
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
            // One step in the history for a search, not one for each pause in the typing.
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
