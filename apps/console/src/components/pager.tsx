import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { ListPage } from '#src/lib/call.ts'
import { totalText } from '#src/lib/count.ts'
import css from './pager.module.css'

/** The page sizes to choose from, and the one that counts when nobody chose. */
export const PAGE_SIZES = [25, 50, 100, 200] as const
export const PAGE_SIZE_DEFAULT = 50

/** How the links to other pages look. */
export const PAGE_LINK = { variant: 'default', size: 'compact-md' } as const

type Props = {
  page: ListPage<readonly unknown[]> | undefined
  limit: number
  onLimit: (limit: string) => void
  /** A link to the page at `cursor`, which prefetches it on hover. */
  renderPageLink: (cursor: string, label: string) => ReactNode
}

/** Below a list: "1–50 of 312", rows per page, Previous and Next. */
export function Pager({ page, limit, onLimit, renderPageLink }: Props) {
  const sizeId = useId()
  const linkOrNone = (cursor: string | null | undefined, label: string) =>
    cursor ? (
      renderPageLink(cursor, label)
    ) : (
      <Button {...PAGE_LINK} disabled>
        {label}
      </Button>
    )
  return (
    <nav className={css.pager} aria-label="Pages">
      <span className={css.range}>{page ? rangeText(page) : ''}</span>
      <div className={css.size}>
        <label htmlFor={sizeId} className={css.sizeLabel}>
          Rows per page
        </label>
        <NativeSelect
          id={sizeId}
          size="xs"
          value={limit}
          data={PAGE_SIZES.map(String)}
          onChange={(event) => onLimit(event.currentTarget.value)}
        />
      </div>
      {linkOrNone(page?.prev, 'Previous')}
      {linkOrNone(page?.next, 'Next')}
    </nav>
  )
}

/** "51–100 of 312". */
function rangeText({ start, rows, total }: ListPage<readonly unknown[]>): string {
  if (rows.length === 0) return `0 of ${totalText(total)}`
  return `${(start + 1).toLocaleString('en-US')}–${(start + rows.length).toLocaleString('en-US')} of ${totalText(total)}`
}
