import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'

/** Page sizes of lists. */
export const PAGE_SIZES = [10, 25, 50, 100, 200] as const

/** Page size in the URL; 50 for invalid values. */
export const pageSize = pageSizeOr(50)
/** Page size in the URL of a list above other parts of a page. */
export const shortPageSize = pageSizeOr(10)

function pageSizeOr(standard: (typeof PAGE_SIZES)[number]) {
  return withFallback(z.pipe(z.coerce.number(), z.literal(PAGE_SIZES)), standard)
}
