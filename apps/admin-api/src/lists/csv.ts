import { stringify } from 'csv-stringify/sync'

/** Spreadsheets read a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Text that spreadsheets take for a formula: begins with `=`, `+`, `-`, `@`, a full-width form of these or a control
 * character. Spreadsheets drop some quotes and blanks before this character.
 */
const FORMULA_AT_START = /^['\s]*[=+\-@\p{Cc}＝＋－＠]/u

const FORMULA_SIGNS = '=+-@＝＋－＠'
const BLANK = /["'\s\p{Cc}]/u

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
      string: plainText,
      boolean: String,
      object: (value) => plainText(Array.isArray(value) ? value.join(' ') : fieldsText(value)),
    },
  })
}

function fieldsText(fields: object): string {
  return Object.keys(fields).length === 0 ? '' : JSON.stringify(fields)
}

/**
 * Escapes every formula with an apostrophe. Removing these apostrophes restores the text. Scans once, from the end: a
 * regular expression would look ahead from each of thousands of line ends.
 */
function plainText(text: string): string {
  let escaped = ''
  let end = text.length
  let isFormula = false
  for (let at = text.length - 1; at > 0; at -= 1) {
    const character = text.charAt(at)
    isFormula = FORMULA_SIGNS.includes(character) || (isFormula && BLANK.test(character))
    if (!isFormula || !isCellStart(text, at)) continue
    escaped = `'${text.slice(at, end)}${escaped}`
    end = at
  }
  return `${FORMULA_AT_START.test(text) ? "'" : ''}${text.slice(0, end)}${escaped}`
}

/** Some programs separate columns by semicolons, tabs or line ends, even inside quotes: a cell starts after each. */
function isCellStart(text: string, at: number): boolean {
  const before = text.charAt(at - 1)
  return before === ';' || before === '\t' || before === '\n' || (before === '\r' && text.charAt(at) !== '\n')
}
