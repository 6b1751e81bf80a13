import { IMPORT_FILE_MAX_MB, IMPORT_ROWS_MAX } from '@switchboard/contract/wire/imports'
import { countText } from '#src/lib/format/count.ts'
import { type CsvRecord, parseCsv } from '#src/lists/parse-csv.ts'

const MEGABYTE = 1_000_000

/** A CSV file: the names of its columns, and its rows. */
export type Table = { name: string; head: readonly string[]; rows: readonly CsvRecord[] }

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
    return { problem: 'The file is not a text file in UTF-8. Save a spreadsheet as "CSV UTF-8" and choose that file.' }
  return tableOf(file.name, text)
}

function tableOf(name: string, text: string): Table | { problem: string } {
  const { records, unclosedLine } = parseCsv(text)
  if (unclosedLine !== null) return { problem: `The quote in line ${countText(unclosedLine)} is never closed.` }
  const [head, ...rows] = records
  if (head === undefined) return { problem: 'The file is empty.' }
  if (rows.length === 0) return { problem: 'The file has no rows below the names of its columns.' }
  if (rows.length > IMPORT_ROWS_MAX)
    return {
      problem: `The file has ${countText(rows.length)} rows. Import at most ${countText(IMPORT_ROWS_MAX)} at a time.`,
    }
  return { name, head: head.cells.map((cell) => cell.trim()), rows }
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
