/**
 * Text that spreadsheets take for a formula: begins with `=`, `+`, `-`, `@`, a full-width form of these or a control
 * character. Spreadsheets drop some quotes and blanks before this character.
 */
const FORMULA_AT_START = /^['\s]*[=+\-@\p{Cc}＝＋－＠]/u

const FORMULA_SIGNS = '=+-@＝＋－＠'
const BLANK = /["'\s\p{Cc}]/u

/**
 * Escapes every formula with an apostrophe. Scans once, from the end: a regular expression would look ahead from each of
 * thousands of line ends.
 */
export function escapedCell(text: string): string {
  let escaped = ''
  let end = text.length
  let isFormula = false
  for (let at = text.length - 1; at > 0; at -= 1) {
    isFormula = beginsFormula(text.charAt(at), isFormula)
    if (!isFormula || !isCellStart(text, at)) continue
    escaped = `'${text.slice(at, end)}${escaped}`
    end = at
  }
  return `${FORMULA_AT_START.test(text) ? "'" : ''}${text.slice(0, end)}${escaped}`
}

/** Reverse of `escapedCell`. Other text stays as it is. */
export function unescapedCell(cell: string): string {
  if (!cell.includes("'")) return cell
  let text = ''
  let end = cell.length
  let isFormula = false
  for (let at = cell.length - 1; at > 0; at -= 1) {
    const character = cell.charAt(at)
    if (character === "'" && isFormula && isCellStart(cell, at)) {
      text = `${cell.slice(at + 1, end)}${text}`
      end = at
    }
    isFormula = beginsFormula(character, isFormula)
  }
  const isEscaped = cell.startsWith("'") && FORMULA_AT_START.test(cell.slice(1))
  return `${cell.slice(isEscaped ? 1 : 0, end)}${text}`
}

/** Whether the text from a character on is a formula, given whether the text after the character is one. */
function beginsFormula(character: string, isRestFormula: boolean): boolean {
  return FORMULA_SIGNS.includes(character) || (isRestFormula && BLANK.test(character))
}

/** Some programs separate columns by semicolons, tabs or line ends, even inside quotes: a cell starts after each. */
function isCellStart(text: string, at: number): boolean {
  const before = text.charAt(at - 1)
  return before === ';' || before === '\t' || before === '\n' || (before === '\r' && text.charAt(at) !== '\n')
}
