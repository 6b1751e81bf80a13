import * as z from 'zod/mini'

/** `X-Export-Rows`: number of records after the header. A file with fewer records is incomplete. */
export const EXPORT_ROWS_HEADER = 'x-export-rows'

/** CSV by RFC 4180 in UTF-8 with a byte order mark: a header of column names, then a record for each row. */
export const csvFile = z.string()
/** Media type of CSV. */
export const CSV_TYPE = 'text/csv'
