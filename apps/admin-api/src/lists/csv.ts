import { stringify } from 'csv-stringify/sync'

/** What spreadsheets need to take a file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * A cell that a spreadsheet could take for a formula (checklist S40): it begins with one of `= + - @`, full-width ones
 * too, or with a control character, perhaps behind quotes and blanks that the spreadsheet drops.
 */
const FORMULA = /^['\s]*[=+\-@\p{Cc}＝＋－＠]/u

/** The head of a CSV file. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRecords(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

/** Rows as records of a CSV file (RFC 4180): text that no spreadsheet computes, `true` and `false`, lists with blanks between. */
export function csvRecords<Row extends object>(columns: readonly (keyof Row & string)[], rows: Row[]): string {
  return stringify(rows, {
    columns: [...columns],
    record_delimiter: 'windows',
    // Where a semicolon or tab separates columns, as it does in half of Europe, it would begin a cell.
    quoted_match: /[;\t]/,
    cast: {
      string: plainText,
      boolean: String,
      object: (list) => plainText(Array.isArray(list) ? list.join(' ') : ''),
    },
  })
}

/** An apostrophe keeps text what it is. Whoever takes one off again, where `FORMULA` holds, has what was there before. */
function plainText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}
