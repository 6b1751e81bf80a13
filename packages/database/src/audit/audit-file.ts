import { createHash, type KeyObject, sign, verify } from 'node:crypto'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { fileError, StartError } from '#src/start/start-error.ts'
import type { AuditAnchor } from './audit-anchor.ts'
import { HASHED_COLUMNS } from './audit-row.ts'

// A day of the audit log is a gzip file of lines. The first line is JSON with the format, the day, the first row and the hash
// before it. Each further line is the hashed text of a row: the hash of a row is the SHA-256 of the hash before it and this
// text. The last line is JSON with the last row and its hash. The file `NAME.sig` has the Ed25519 signature of the file.

const FORMAT = 1

/** A row as its anchor and its hashed text. */
export type FileRow = AuditAnchor & { text: string }

/** The name of the file of a day, with the number of its first row. Files with other rows have other names. */
export function auditFileName(day: string, firstSeq: number, end: AuditAnchor): string {
  return `audit-${day}-${firstSeq}-${end.hash.slice(0, 12)}.ndjson.gz`
}

/** The name of the signature of a file. */
export function signatureOf(file: string): string {
  return `${file}.sig`
}

/**
 * Writes the rows after `before` to a new signed file in `folder`, which replaces a file with the same rows when it is
 * complete. Only the owner may read the file. Returns the last row. Throws a StartError for an error of the file system.
 */
export async function writeAuditFile(
  folder: string,
  { day, before, privateKey }: { day: string; before: AuditAnchor; privateKey: KeyObject },
  rows: AsyncIterable<readonly FileRow[]>,
): Promise<AuditAnchor> {
  let last = before
  async function* lines(): AsyncGenerator<string> {
    const head = { switchboard_audit_file: FORMAT, day, first_seq: before.seq + 1, hash_before: before.hash }
    yield `${JSON.stringify({ ...head, columns: HASHED_COLUMNS })}\n`
    for await (const part of rows) {
      yield part.map(({ text }) => `${text}\n`).join('')
      last = part.at(-1) ?? last
    }
    yield `${JSON.stringify({ last_seq: last.seq, hash_after: last.hash })}\n`
  }
  // Two workers may write the same day at once.
  const draft = path.join(folder, `audit-${day}-${process.pid}.part`)
  try {
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await pipeline(lines, createGzip(), async (compressed: AsyncIterable<Uint8Array>) => {
        for await (const part of compressed) await handle.appendFile(part)
      })
      await handle.sync()
    } finally {
      await handle.close()
    }
    const file = path.join(folder, auditFileName(day, before.seq + 1, last))
    // First, so that there is no file without its signature.
    await writeFile(signatureOf(file), sign(null, await readFile(draft), privateKey), { mode: 0o600, flush: true })
    await rename(draft, file)
    await syncFolder(folder)
    return last
  } catch (error) {
    await rm(draft, { force: true })
    throw fileError(error, folder)
  }
}

/** Makes the new name of a file durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A file as its first line describes it, and its rows. `before` is the row before its first one. */
export type AuditFile = { day: string; before: AuditAnchor; end: AuditAnchor; rows: FileRow[] }

/**
 * Reads a file, and checks the chain of its rows and its signature by one of the keys, unless they are null. Throws a
 * StartError that names the file if it is missing, changed or incomplete.
 */
export async function readAuditFile(file: string, publicKeys: readonly KeyObject[] | null): Promise<AuditFile> {
  const name = path.basename(file)
  const content = await contentOf(file)
  if (publicKeys !== null) {
    const signature = await contentOf(signatureOf(file))
    if (!publicKeys.some((key) => verify(null, content, key, signature)))
      throw new StartError(`${name} was changed, or signed with another key: its signature is not valid.`)
  }
  const lines = await linesOf(name, content)
  const [head, end] = [headOf(lines.shift()), endOf(lines.pop())]
  if (head === null || end === null) throw new StartError(`${name} is not a complete file of the audit log.`)
  let last = head.before
  const rows = lines.map((text) => {
    const hash = createHash('sha256').update(Buffer.from(last.hash, 'hex')).update(text).digest('hex')
    last = { seq: last.seq + 1, hash }
    return { ...last, text }
  })
  if (last.seq !== end.seq || last.hash !== end.hash)
    throw new StartError(`${name} was changed: its rows do not lead to the hash of row ${end.seq}.`)
  return { ...head, end, rows }
}

/** The columns of a row in a file. */
export function columnsOf({ text }: FileRow): Record<string, unknown> {
  const values: unknown = JSON.parse(text)
  if (!Array.isArray(values)) throw new Error('The text of a row is an array.')
  return Object.fromEntries(HASHED_COLUMNS.map((column, n) => [column, values[n]]))
}

async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new StartError(`${path.basename(file)} is missing.`)
    throw fileError(error, file)
  }
}

async function linesOf(name: string, content: Buffer): Promise<string[]> {
  const parts: Buffer[] = []
  try {
    await pipeline(Readable.from([content]), createGunzip(), async (all: AsyncIterable<Buffer>) => {
      for await (const part of all) parts.push(part)
    })
  } catch {
    throw new StartError(`${name} was changed: it cannot be decompressed.`)
  }
  // Not `split` by all line breaks: the text of a row may have U+2028.
  return Buffer.concat(parts).toString().trimEnd().split('\n')
}

function headOf(line = ''): Pick<AuditFile, 'day' | 'before'> | null {
  const head = jsonOf(line)
  if (head?.['switchboard_audit_file'] !== FORMAT) return null
  const { day, first_seq, hash_before } = head
  if (typeof day !== 'string' || typeof first_seq !== 'number' || typeof hash_before !== 'string') return null
  return { day, before: { seq: first_seq - 1, hash: hash_before } }
}

function endOf(line = ''): AuditAnchor | null {
  const { last_seq, hash_after } = jsonOf(line) ?? {}
  return typeof last_seq === 'number' && typeof hash_after === 'string' ? { seq: last_seq, hash: hash_after } : null
}

function jsonOf(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}
