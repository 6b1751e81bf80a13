import { Button } from '@mantine/core'
import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { ListFilter } from '#src/ui/filters/list-filter.tsx'
import css from './list-tools.module.css'
import { SearchField } from './search-field.tsx'

type Props = {
  list: ListParams
  /** Absent for lists without a search. */
  searchLabel?: string
  /** The sort orders, for narrow screens with hidden column heads. Absent for a list with one order. */
  sorts?: readonly { value: string; label: string }[]
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
      {sorts && (
        <div className={css.sort}>
          <ListFilter list={list} name="sort" label="Sort by" options={sorts} />
        </div>
      )}
      <div className={css.export}>
        <Button variant="default" fullWidth leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
          Export
        </Button>
      </div>
    </search>
  )
}
