import { Button } from '@mantine/core'
import { useId } from 'react'
import type { ListPage } from '#src/lib/call.ts'
import { countText, totalText } from '#src/lib/format/count.ts'
import { PAGE_SIZES } from '#src/lists/page-size.ts'
import { useChangeList } from '#src/lists/list-params.ts'
import { Select } from '#src/ui/field/select.tsx'
import { ButtonLink } from '#src/ui/button/button-link.tsx'
import css from './pager.module.css'

const PAGE_OPTIONS = PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))
const PAGE_LINK = { variant: 'default', size: 'compact-md' } as const

type Props = {
  page: ListPage<readonly unknown[]> | undefined
  limit: number
  /** Singular noun of a row: "tenant". */
  noun: string
}

/** Pagination of a list: "1–50 of 312", rows per page and, if there are more pages, links with prefetch on hover. */
export function Pager({ page, limit, noun }: Props) {
  const sizeId = useId()
  const change = useChangeList()
  // Do not render before the rows, to prevent layout shift.
  if (page === undefined) return null
  return (
    <nav className={css.pager} aria-label="Pages">
      <span className={css.range}>{rangeText(page, noun)}</span>
      <div className={css.size}>
        <label htmlFor={sizeId} className={css.sizeLabel}>
          Rows per page
        </label>
        <Select
          id={sizeId}
          isSmall
          value={limit}
          options={PAGE_OPTIONS}
          onChange={(event) => change({ limit: event.currentTarget.value })}
        />
      </div>
      {(page.prev || page.next) && (
        <div className={css.pages}>
          <PageLink cursor={page.prev} label="Previous" />
          <PageLink cursor={page.next} label="Next" />
        </div>
      )}
    </nav>
  )
}

function PageLink({ cursor, label }: { cursor: string | null | undefined; label: string }) {
  if (!cursor) {
    return (
      <Button {...PAGE_LINK} disabled>
        {label}
      </Button>
    )
  }
  return (
    <ButtonLink {...PAGE_LINK} to="." search={(before) => ({ ...before, cursor })}>
      {label}
    </ButtonLink>
  )
}

/** "51–100 of 312"; "1 tenant" for a single row. */
function rangeText({ start, rows, total }: ListPage<readonly unknown[]>, noun: string): string {
  if (total === '1') return `1 ${noun}`
  if (rows.length === 0) return `0 of ${totalText(total)}`
  return `${countText(start + 1)}–${countText(start + rows.length)} of ${totalText(total)}`
}
