import { unescapedCell } from '@switchboard/contract/csv/csv-cells'
import { IMPORT_CELL_MAX } from '@switchboard/contract/wire/imports'
import { countText } from '#src/lib/format/count.ts'
import type { ImportColumn, ImportedNoun } from './imported-nouns.ts'
import type { Table } from './read-table.ts'

/** Maximum length of a key in the results, in characters. A longer one is refused anyway, and would fill the page. */
const KEY_SHOWN = 254

/** The place of the file's column for each column of the noun; null for none. */
export type Matching = Readonly<Record<string, number | null>>

/** A row to import, with its cells by column. `problem`: the console itself refuses the row. */
export type ImportRow = { line: number; key: string; cells: Record<string, string>; problem: string | null }

/** Matches the columns of a file by their names, without regard to case, blanks and signs. */
export function matchColumns(head: readonly string[], columns: readonly ImportColumn[]): Matching {
  const names = head.map(plainName)
  return Object.fromEntries(
    columns.map(({ name, label, aliases = [] }) => {
      const place = [name, label, ...aliases].map((known) => names.indexOf(plainName(known))).find((at) => at !== -1)
      return [name, place ?? null]
    }),
  )
}

/** The names of the file's columns that fill no column of the noun. */
export function ignoredColumns(head: readonly string[], matching: Matching): string[] {
  const used = Object.values(matching)
  return head.filter((name, at) => name !== '' && !used.includes(at))
}

/** The rows of a table with the matched cells. A row with the key of an earlier row is refused. */
export function rowsOfTable(table: Table, { key, columns }: ImportedNoun, matching: Matching): ImportRow[] {
  const keyLabel = columns.find(({ name }) => name === key)?.label.toLowerCase() ?? key
  const lines = new Map<string, number>()
  return table.rows.map(({ line, cells: all }) => {
    const cells: Record<string, string> = {}
    for (const { name } of columns) {
      const text = unescapedCell(all[matching[name] ?? -1] ?? '')
      if (text.trim() !== '') cells[name] = text
    }
    const own = cells[key]?.trim() ?? ''
    const first = lines.get(own.toLowerCase())
    if (own !== '' && first === undefined) lines.set(own.toLowerCase(), line)
    const tooLong = columns.find(({ name, maxLength = IMPORT_CELL_MAX }) => (cells[name]?.length ?? 0) > maxLength)
    const problem =
      all.length > table.head.length && all.slice(table.head.length).some((cell) => cell !== '')
        ? `The row has ${all.length} cells, the head has ${table.head.length}.`
        : tooLong !== undefined
          ? `A cell has more than ${countText(tooLong.maxLength ?? IMPORT_CELL_MAX)} characters.`
          : first === undefined
            ? null
            : `Line ${countText(first)} has the same ${keyLabel}.`
    return { line, key: own.length > KEY_SHOWN ? `${own.slice(0, KEY_SHOWN)}…` : own, cells, problem }
  })
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
