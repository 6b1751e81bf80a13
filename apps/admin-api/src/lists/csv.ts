import { stringify } from 'csv-stringify/sync'

/** What spreadsheets need to take a file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Where a spreadsheet could take text for a formula (checklist S40): it begins with one of `= + - @`, full-width ones too,
 * or with a control character, perhaps behind quotes and blanks that the spreadsheet drops. Semicolons, tabs and ends of
 * lines begin a cell as well, quoted or not, for programs that separate columns by these, as half of Europe does.
 */
const FORMULAS = /^(?=['\s]*[=+\-@\p{Cc}＝＋－＠])|(?<=\r\n|[;\t\n]|\r(?!\n))(?=["'\s\p{Cc}]*[=+\-@＝＋－＠])/gu

/** The head of a CSV file. */
export function csvHead(columns: readonly string[]): string {
  return BYTE_ORDER_MARK + csvRecords(columns, [Object.fromEntries(columns.map((column) => [column, column]))])
}

/** Rows as records of a CSV file (RFC 4180): text that no spreadsheet computes, `true` and `false`, lists with blanks between. */
export function csvRecords<Row extends object>(columns: readonly (keyof Row & string)[], rows: Row[]): string {
  return stringify(rows, {
    columns: [...columns],
    record_delimiter: 'windows',
    // By itself it would quote none of these.
    quoted_match: /[;\t\r\n]/,
    cast: {
      string: plainText,
      boolean: String,
      object: (list) => plainText(Array.isArray(list) ? list.join(' ') : ''),
    },
  })
}

/** An apostrophe keeps text what it is. Whoever takes them off again, where `FORMULAS` would put one, has what was there. */
function plainText(text: string): string {
  return text.replace(FORMULAS, "'")
}
