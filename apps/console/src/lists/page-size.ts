import * as z from 'zod/mini'
import { catch as withFallback } from 'zod/mini'

/** Page sizes of lists. */
export const PAGE_SIZES = [25, 50, 100, 200] as const
const PAGE_SIZE_DEFAULT = 50

/** Page size in the URL; the default for invalid values. */
export const pageSize = withFallback(z.pipe(z.coerce.number(), z.literal(PAGE_SIZES)), PAGE_SIZE_DEFAULT)
