/** A record of a CSV file, and the line in which it begins. */
export type CsvRecord = { line: number; cells: string[] }

type Problem = { kind: 'open quote' | 'too wide' | 'too long'; line: number }
type Csv = {
  records: CsvRecord[]
  /** The number of lines whose cells are all blank. They are not in `records`. */
  blankCount: number
  /** Why the parser stopped: a quote is never closed, a record has too many cells, or there are too many records. */
  problem: Problem | null
}

const SEPARATORS = [',', ';', '\t'] as const
/** The first line of a file may name the separator for Excel. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n|\r|\n|$)/i

/**
 * Parses a CSV file (RFC 4180) with any line endings, and skips blank records. A first line such as "sep=;" names the
 * separator. Without one, it is the most frequent of comma, semicolon and tab in the first record.
 */
export function parseCsv(text: string, max: { records: number; cells: number }): Csv {
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(text) ?? []
  const separator = named ?? separatorOf(text)
  const records: CsvRecord[] = []
  let blankCount = 0
  let cells: string[] = []
  let line = separatorLine === '' ? 1 : 2
  let beginLine = line
  let at = separatorLine.length

  const endRecord = () => {
    if (cells.every((cell) => cell.trim() === '')) blankCount += 1
    else records.push({ line: beginLine, cells })
    cells = []
  }
  const endWith = (problem: Problem | null): Csv => ({ records, blankCount, problem })

  while (at < text.length) {
    if (cells.length === 0) {
      beginLine = line
      const length = text.startsWith('\r\n', at) ? 2 : isLineEnd(text, at) ? 1 : 0
      if (length > 0) {
        // No cell is made for an empty line, because a spreadsheet may end with a million of them.
        blankCount += 1
        at += length
        line += 1
        continue
      }
    }
    let cell = ''
    while (text.charAt(at) === '"') {
      const end = closingQuote(text, at + 1)
      if (end === -1) return endWith({ kind: 'open quote', line })
      const quoted = text.slice(at + 1, end)
      line += lineEnds(quoted)
      cell += quoted.replaceAll('""', '"')
      at = end + 1
    }
    const end = cellEnd(text, at, separator)
    if (cells.length === max.cells) return endWith({ kind: 'too wide', line: beginLine })
    cells.push(cell + text.slice(at, end))
    at = end
    if (text.charAt(at) === separator) {
      at += 1
      if (at === text.length && cells.length < max.cells) cells.push('')
      continue
    }
    endRecord()
    if (records.length > max.records) break
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
  }
  if (cells.length > 0) endRecord()
  return endWith(records.length > max.records ? { kind: 'too long', line: beginLine } : null)
}

/** More characters than all column names have together. */
const HEAD_MAX = 100_000

/** The most frequent separator outside of quotes in the first record. */
function separatorOf(text: string): string {
  const counts = SEPARATORS.map(() => 0)
  let isQuoted = false
  for (const character of text.slice(0, HEAD_MAX)) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if ((character === '\n' || character === '\r') && counts.some((count) => count > 0)) break
    const at = SEPARATORS.findIndex((separator) => separator === character)
    if (at !== -1) counts[at] = (counts[at] ?? 0) + 1
  }
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The place of the quote that closes a cell; -1 without one. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text.charAt(at + 1) !== '"') return at
  return -1
}

function cellEnd(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === separator || isLineEnd(text, at)) return at
  }
  return text.length
}

function isLineEnd(text: string, at: number): boolean {
  const character = text.charAt(at)
  return character === '\n' || character === '\r'
}

function lineEnds(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1
}
