import { escapedCell } from '@switchboard/contract/csv/csv-cells'
import { stringify } from 'csv-stringify/sync'

/** Spreadsheets read a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The head of a CSV file. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRecords(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

/** Rows as records of a CSV file (RFC 4180), with formulas escaped, lists joined by blanks and fields as JSON. */
export function csvRecords<Row extends object>(columns: readonly (keyof Row & string)[], rows: Row[]): string {
  return stringify(rows, {
    columns: [...columns],
    record_delimiter: 'windows',
    // The library quotes none of these by default.
    quoted_match: /[;\t\r\n]/,
    cast: {
      string: escapedCell,
      boolean: String,
      object: (value) => escapedCell(Array.isArray(value) ? value.join(' ') : fieldsText(value)),
    },
  })
}

function fieldsText(fields: object): string {
  return Object.keys(fields).length === 0 ? '' : JSON.stringify(fields)
}
