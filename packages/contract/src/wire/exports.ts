import * as z from 'zod/mini'

/** `X-Export-Rows`: how many records the file has after its head, exactly. With fewer it has broken off. */
export const EXPORT_ROWS_HEADER = 'x-export-rows'

/** CSV by RFC 4180 in UTF-8 with a byte order mark: a head of column names, then a record for each row. */
export const csvFile = z.string()
export const CSV_TYPE = 'text/csv'
