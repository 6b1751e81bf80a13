import { StartError } from '@switchboard/database/start/start-error'

/** The end of the rows of a table, at the beginning of a line. COPY writes no such row. */
const END_OF_ROWS = '\\.\n'

/** A statement that `createBackup` writes, and no other. */
const STATEMENT = /^COPY "\w+" \("\w+"(, "\w+")*\) FROM STDIN;$/

/**
 * Splits the script of a backup into its COPY statements, each with its rows in text format. The rows of a statement have to be
 * read before the next statement. Throws a StartError for another text.
 */
export async function* statementsIn(
  script: AsyncIterable<Buffer>,
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
  async function* rows(): AsyncGenerator<Buffer> {
    // The line break before the rows belongs to the statement, so the first row begins a line.
    let isLineStart = true
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
        isLineStart = text[bytes - 1] === NEWLINE
        yield take(bytes)
      }
      if (!(await more())) throw new StartError('The backup ends within a table.')
    }
  }
  for (;;) {
    let length = text.indexOf('\n')
    while (length < 0 && (await more())) length = text.indexOf('\n')
    if (length < 0) return
    const statement = take(length + 1)
      .toString()
      .trimEnd()
    if (!STATEMENT.test(statement)) throw new StartError(`The backup has an unknown statement: ${statement}`)
    yield { statement, rows: rows() }
  }
}

const NEWLINE = 10
