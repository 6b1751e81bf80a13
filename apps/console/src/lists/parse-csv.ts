/** A record of a CSV file, and the line in which it begins. */
export type CsvRecord = { line: number; cells: string[] }

const SEPARATORS = [',', ';', '\t'] as const

/**
 * The records of a CSV file (RFC 4180) with any line ends, without empty lines. The separator is the most frequent of comma,
 * semicolon and tab in the first record. `unclosedLine`: the line of a quote that is never closed.
 */
export function parseCsv(text: string): { records: CsvRecord[]; unclosedLine: number | null } {
  const separator = separatorOf(text)
  const records: CsvRecord[] = []
  let cells: string[] = []
  let line = 1
  let beginLine = 1
  let at = 0

  const endRecord = () => {
    if (cells.some((cell) => cell !== '')) records.push({ line: beginLine, cells })
    cells = []
  }

  while (at < text.length) {
    if (cells.length === 0) beginLine = line
    let cell = ''
    while (text.charAt(at) === '"') {
      const end = closingQuote(text, at + 1)
      if (end === -1) return { records, unclosedLine: line }
      const quoted = text.slice(at + 1, end)
      line += lineEnds(quoted)
      cell += quoted.replaceAll('""', '"')
      at = end + 1
    }
    const end = cellEnd(text, at, separator)
    cells.push(cell + text.slice(at, end))
    at = end
    if (text.charAt(at) === separator) {
      at += 1
      if (at === text.length) cells.push('')
      continue
    }
    endRecord()
    at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1
  }
  endRecord()
  return { records, unclosedLine: null }
}

/** The most frequent separator outside of quotes in the first record. */
function separatorOf(text: string): string {
  const counts = SEPARATORS.map(() => 0)
  let isQuoted = false
  for (const character of text) {
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
    const character = text.charAt(at)
    if (character === separator || character === '\n' || character === '\r') return at
  }
  return text.length
}

function lineEnds(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1
}
