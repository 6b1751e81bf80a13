import { StartError } from '@switchboard/database/start/start-error'
import { copyStatement, type Table } from './schema.queries.ts'

/** The end of the rows of a table, at the beginning of a line. COPY writes no such row. */
const END_OF_ROWS = '\\.\n'

/** Longest statement in bytes. The table with the most columns needs less than 1 kB. */
const STATEMENT_MAX = 65_536
/** Longest row in bytes: the largest `jsonb` of PostgreSQL. */
const ROW_MAX = 268_435_456
/** An error shows this many characters of an unknown statement. */
const SHOWN_MAX = 100

/**
 * Splits the script of a backup into tables, each with its statement and its rows in text format. The script must have
 * exactly these `tables` in this order. Read the rows of a table before the next table. Throws a StartError for any
 * other script, even if it never ends.
 */
export async function* tablesIn(
  script: AsyncIterable<Buffer>,
  tables: readonly Table[],
): AsyncGenerator<{ statement: string; rows: AsyncIterable<Buffer> }> {
  const parts = script[Symbol.asyncIterator]()
  let text: Buffer = Buffer.alloc(0)
  /** Reads on. False at the end of the script. */
  const more = async () => {
    const { done, value } = await parts.next()
    if (done === true) return false
    text = text.length === 0 ? value : Buffer.concat([text, value])
    return true
  }
  const take = (bytes: number) => {
    const taken = text.subarray(0, bytes)
    text = text.subarray(bytes)
    return taken
  }
  /** The next line. Undefined at the end of the script. */
  const readStatement = async () => {
    let length = text.indexOf('\n')
    while (length < 0 && text.length <= STATEMENT_MAX && (await more())) length = text.indexOf('\n')
    if (text.length === 0) return undefined
    if (length > STATEMENT_MAX || (text.length > STATEMENT_MAX && length < 0))
      throw new StartError(
        `The backup has a statement of more than ${STATEMENT_MAX} bytes: ${shown(text.toString('latin1', 0, SHOWN_MAX))}`,
      )
    if (length < 0) throw new StartError(`The backup ends within a statement: ${shown(text.toString())}`)
    return take(length + 1).toString('utf8', 0, length)
  }
  async function* rows(): AsyncGenerator<Buffer> {
    // The line break before the rows belongs to the statement, so the first row begins a line.
    let isLineStart = true
    let rowBytes = 0
    for (;;) {
      const isEnd = isLineStart && text.subarray(0, END_OF_ROWS.length).equals(Buffer.from(END_OF_ROWS))
      const end = isEnd ? 0 : text.indexOf(`\n${END_OF_ROWS}`) + 1
      if (isEnd || end > 0) {
        if (end > 0) yield take(end)
        take(END_OF_ROWS.length)
        return
      }
      // The rest may be the beginning of the end.
      const bytes = text.length - END_OF_ROWS.length
      if (bytes > 0) {
        const taken = take(bytes)
        const lastBreak = taken.lastIndexOf(NEWLINE)
        isLineStart = lastBreak === bytes - 1
        // A chunk is short, so only a row that spans several chunks can be too long.
        rowBytes = lastBreak < 0 ? rowBytes + bytes : bytes - lastBreak - 1
        if (rowBytes > ROW_MAX) throw new StartError(`The backup has a row of more than ${ROW_MAX} bytes.`)
        yield taken
      }
      if (!(await more())) throw new StartError('The backup ends within a table.')
    }
  }
  for (const [n, table] of tables.entries()) {
    const statement = copyStatement(table)
    const found = await readStatement()
    if (found !== statement) throw new StartError(problemOf(found, tables, n))
    yield { statement, rows: rows() }
  }
  const found = await readStatement()
  if (found !== undefined) throw new StartError(problemOf(found, tables, tables.length))
}

/** The reason why a statement is not the one for table `n`. */
function problemOf(found: string | undefined, tables: readonly Table[], n: number): string {
  const expected = tables[n]
  if (found === undefined) return `The backup ends before the table "${expected?.name}".`
  const [, name, list = ''] = STATEMENT.exec(found) ?? []
  if (name === undefined) return `The backup has an unknown statement: ${shown(found)}`
  const place = tables.findIndex((table) => table.name === name)
  if (place < 0) return `The backup has an unknown table: "${name}".`
  if (place < n) return `The backup has the table "${name}" twice.`
  if (place > n) return `The backup has the table "${name}" in place of "${expected?.name}".`
  const column = list.split(', ').find((quoted) => !expected?.columns.includes(quoted.slice(1, -1)))
  return column === undefined
    ? `The backup does not have all columns of the table "${name}" in their order.`
    : `The backup has an unknown column of the table "${name}": ${shown(column)}`
}

/** Matches the statement of any table. */
const STATEMENT = /^COPY "(\w{1,63})" \((.*)\) FROM STDIN;$/

/** The beginning of an unknown text, with line breaks and control characters escaped. */
function shown(text: string): string {
  return JSON.stringify(text.slice(0, SHOWN_MAX))
}

const NEWLINE = 10
