import { EXPORT_ROWS_HEADER } from '@switchboard/contract/csv/exports'
import { countText } from '#src/lib/format/count.ts'

const QUOTE = 0x22
const LINE_FEED = 0x0a
/** Buffer size before a part is passed to the browser, in bytes. */
const PART_BYTES = 8_388_608
/** Idle time after which a download counts as broken. */
const STALL_TIMEOUT_MS = 30_000

export type CsvProgress = { rows: number; total: number }
export type CsvFile = { name: string; rows: number; content: Blob }

/**
 * Reads a CSV answer to its end and reports its progress to `onProgress`. Throws an
 * `IncompleteCsvError` for fewer records than the header announces: a proxy may end a connection without an error.
 */
export async function readCsv(response: Response, onProgress: (progress: CsvProgress) => void): Promise<CsvFile> {
  const total = Number(response.headers.get(EXPORT_ROWS_HEADER) ?? Number.NaN)
  const [, name = 'export.csv'] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const count = recordCounter()
  const parts: Blob[] = []
  let chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  let rows = 0
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk)
      bytes += chunk.length
      rows = Math.max(0, count(chunk) - 1)
      if (bytes > PART_BYTES) {
        parts.push(new Blob(chunks))
        chunks = []
        bytes = 0
      }
      onProgress({ rows, total })
    }
  } catch (cause) {
    throw new IncompleteCsvError({ rows, total }, { cause })
  }
  if (rows !== total) throw new IncompleteCsvError({ rows, total })
  return { name, rows, content: new Blob([...parts, ...chunks], { type: 'text/csv' }) }
}

/** Hands a file to the browser as a download. */
export function saveFile({ name, content }: CsvFile): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // A started download keeps its own reference to the content.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** An incomplete file, with a message for the user. */
export class IncompleteCsvError extends Error {
  constructor({ rows, total }: CsvProgress, options?: ErrorOptions) {
    const ofTotal = Number.isNaN(total) ? '' : ` of ${countText(total)}`
    super(`The export stopped after ${countText(rows)}${ofTotal} rows. Nothing was saved.`, options)
    this.name = 'IncompleteCsvError'
  }
}

/** Counts the records of a chunked CSV file: line feeds outside quotes. */
export function recordCounter(): (bytes: Uint8Array) => number {
  let records = 0
  let isQuoted = false
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LINE_FEED && !isQuoted) records += 1
    }
    return records
  }
}

/** The bytes of an answer. Throws after a lost connection or a timeout. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  try {
    for (;;) {
      const chunk = await withTimeout(reader?.read())
      if (chunk?.value === undefined) return
      yield chunk.value
    }
  } finally {
    // Discard the remainder.
    await reader?.cancel()
  }
}

async function withTimeout<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  let timer = 0
  const timeout = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error('The server has stopped sending.')), STALL_TIMEOUT_MS)
  })
  return await Promise.race([work, timeout]).finally(() => window.clearTimeout(timer))
}
