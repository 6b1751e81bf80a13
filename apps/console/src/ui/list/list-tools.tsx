import { Button } from '@mantine/core'
import { SEARCH_MAX } from '@switchboard/contract/wire/lists'
import { IconAdjustmentsHorizontal, IconDownload } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '#src/lib/lazy.tsx'
import { filterCount, filtersOf, type ListParams, useChangeList } from '#src/lists/list-params.ts'
import { FilterView } from '#src/ui/filters/filter-view.ts'
import { ListFilter } from '#src/ui/filters/list-filter.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import { useIsPhone } from '#src/ui/page/use-is-phone.ts'
import css from './list-tools.module.css'
import { SearchField } from './search-field.tsx'

const FilterSheet = lazyPart(() => import('#src/ui/filters/filter-sheet.tsx').then((code) => code.FilterSheet))

type Props = {
  list: ListParams
  /** Absent for lists without a search. */
  searchLabel?: string
  /** The sort orders, for narrow screens with hidden column heads. Absent for a list with one order. */
  sorts?: readonly { value: string; label: string }[]
  /** A switch between views of the list. Hidden on a phone. */
  views?: ReactNode
  /** For a list whose columns do not have all orders. */
  isSortShown?: boolean
  /** Filters. */
  children?: ReactNode
  /** Absent for a list without an export. */
  onExport?: () => void
  /** The page that imports records from a file. */
  importTo?: LinkOptions['to'] | undefined
}

/**
 * Search, filters, export and, on narrow screens, the order of a list. Each change returns to the first page. On a
 * phone, one button opens the filters, and `ListActions` has the export.
 */
export function ListTools({
  list,
  searchLabel,
  sorts,
  views,
  isSortShown = false,
  children,
  onExport,
  importTo,
}: Props) {
  const change = useChangeList()
  const isPhone = useIsPhone()
  const order = sorts && <ListFilter list={list} name="sort" label="Sort by" options={sorts} />
  return (
    <search className={css.tools}>
      {!isPhone && views}
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
      {isPhone ? (
        (children ?? order) && (
          <PhoneFilters list={list} order={order}>
            {children}
          </PhoneFilters>
        )
      ) : (
        <>
          {children}
          {order && <div className={isSortShown ? undefined : css.sort}>{order}</div>}
          {onExport && (
            <div className={css.files}>
              {importTo && (
                <ButtonLink to={importTo} variant="default">
                  Import CSV
                </ButtonLink>
              )}
              <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
                Export
              </Button>
            </div>
          )}
        </>
      )}
    </search>
  )
}

/** A button for the sheet of filters, and a chip for each filter that is set. */
function PhoneFilters({ list, order, children }: { list: ListParams; order: ReactNode; children: ReactNode }) {
  const change = useChangeList()
  const [isOpen, setIsOpen] = useState(false)
  const count = filterCount(list)
  const cleared = Object.fromEntries(filtersOf(list).map((name) => [name, name === 'q' ? list.q : undefined]))
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => void FilterSheet.preload?.()}
        onClick={() => setIsOpen(true)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className={css.chips}>
        <FilterView value="chips">{children}</FilterView>
      </div>
      <Suspense>
        {isOpen && (
          <FilterSheet onClear={count === 0 ? undefined : () => change(cleared)} onClose={() => setIsOpen(false)}>
            {children}
            {order}
          </FilterSheet>
        )}
      </Suspense>
    </>
  )
}
