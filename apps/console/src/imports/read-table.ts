import { IMPORT_COLUMNS_MAX, IMPORT_FILE_MAX_MB, IMPORT_ROWS_MAX } from '@switchboard/contract/wire/imports'
import { countText } from '#src/lib/format/count.ts'
import { type CsvRecord, parseCsv } from '#src/lists/parse-csv.ts'

const MEGABYTE = 1_000_000

/** Maximum length of a column name, in characters. A longer text is not a name, and a select could not show it. */
const COLUMN_NAME_MAX = 200

/**
 * A CSV file with the names of its columns, and its rows. A column without a name is called "Column 3", or has an empty
 * name if no row fills it. `blankCount` is the number of empty rows, which are left out.
 */
export type Table = { name: string; head: readonly string[]; rows: readonly CsvRecord[]; blankCount: number }

/** Reads a CSV file in UTF-8. Otherwise the problem, as a sentence. */
export async function readTable(file: File): Promise<Table | { problem: string }> {
  if (file.size === 0) return { problem: 'The file is empty.' }
  if (file.size > IMPORT_FILE_MAX_MB * MEGABYTE) {
    const size = countText(Math.ceil(file.size / MEGABYTE))
    return { problem: `The file has ${size} MB. Import at most ${IMPORT_FILE_MAX_MB} MB at a time.` }
  }
  let bytes: ArrayBuffer
  try {
    bytes = await file.arrayBuffer()
  } catch {
    return { problem: 'The file cannot be read. It may have changed since you chose it.' }
  }
  const text = textOf(bytes)
  if (text === null)
    return {
      problem:
        'The file is not a text file in UTF-8. Save a spreadsheet as "CSV UTF-8", one file for each sheet, and choose that file.',
    }
  return tableOf(file.name, text)
}

function tableOf(name: string, text: string): Table | { problem: string } {
  const { records, blankCount, problem } = parseCsv(text, {
    records: IMPORT_ROWS_MAX + 1,
    cells: IMPORT_COLUMNS_MAX,
  })
  if (problem?.kind === 'open quote')
    return { problem: `The quote in line ${countText(problem.line)} is never closed.` }
  if (problem?.kind === 'too long')
    return { problem: `The file has more than ${countText(IMPORT_ROWS_MAX)} rows. Import them in several files.` }
  if (problem !== null)
    return {
      problem: `Line ${countText(problem.line)} has more than ${IMPORT_COLUMNS_MAX} columns. Delete the columns that are not imported.`,
    }
  const [head, ...rows] = records
  if (head === undefined) return { problem: 'The file is empty.' }
  if (rows.length === 0) return { problem: 'The file has no rows below the names of its columns.' }
  const tooLong = head.cells.findIndex((cell) => cell.trim().length > COLUMN_NAME_MAX)
  if (tooLong !== -1)
    return {
      problem: `Column ${tooLong + 1} has a name of more than ${COLUMN_NAME_MAX} characters. The first line must have the names of the columns.`,
    }
  const names = head.cells.map((cell, at) => cell.trim() || (isFilled(rows, at) ? `Column ${at + 1}` : ''))
  return { name, head: names, rows, blankCount }
}

function isFilled(rows: readonly CsvRecord[], at: number): boolean {
  return rows.some(({ cells }) => (cells[at] ?? '').trim() !== '')
}

/** The text without a byte order mark. Null for other encodings and for binary files. */
function textOf(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
