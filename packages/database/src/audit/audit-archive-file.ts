import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { fileError, StartError } from '#src/start/start-error.ts'
import type { AuditAnchor } from './audit-anchor.ts'
import { type AuditArchive, fileNameOf } from './audit-archives.ts'
import { HASHED_COLUMNS } from './audit-row.ts'

// An archive is a gzip file of lines. The first line is JSON with the format, the month, the first row and the hash before
// it. Each further line is the hashed text of a row: the hash of a row is the SHA-256 of the hash before it and this text.
// The last line is JSON with the last row and its hash.

const FORMAT = 1

/** A row as its anchor and its hashed text. */
export type ArchivedRow = AuditAnchor & { text: string }

/**
 * Writes the rows after `before` to a new file in `folder`, which replaces a file with the same rows when it is complete.
 * Only the owner may read the file. Throws a StartError for an error of the file system.
 */
export async function writeArchiveFile(
  folder: string,
  { month, before, columns }: { month: string; before: AuditAnchor; columns: readonly string[] },
  rows: AsyncIterable<readonly ArchivedRow[]>,
): Promise<AuditArchive> {
  const first_seq = before.seq + 1
  let last = before
  async function* lines(): AsyncGenerator<string> {
    const first = { switchboard_audit_archive: FORMAT, month, first_seq, hash_before: before.hash, columns }
    yield `${JSON.stringify(first)}\n`
    for await (const part of rows) {
      yield part.map(({ text }) => `${text}\n`).join('')
      last = part.at(-1) ?? last
    }
    yield `${JSON.stringify({ last_seq: last.seq, hash_after: last.hash })}\n`
  }
  const draft = path.join(folder, `audit-${month}.part`)
  const hash = createHash('sha256')
  try {
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await pipeline(lines, createGzip(), async (compressed: AsyncIterable<Uint8Array>) => {
        for await (const part of compressed) {
          hash.update(part)
          await handle.appendFile(part)
        }
      })
      await handle.sync()
    } finally {
      await handle.close()
    }
    const end = { last_seq: last.seq, hash_after: last.hash }
    const archive = { month, first_seq, hash_before: before.hash, ...end, file_sha256: hash.digest('hex') }
    await rename(draft, path.join(folder, fileNameOf(archive)))
    await syncFolder(folder)
    return archive
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

/** `hashOf` is the hash of the requested row, if the file has it. */
export type CheckedFile = { problem: string | null; hashOf?: string | undefined }

/**
 * Reads the file of an archive, recomputes its chain and compares it with the archive: a missing, changed or incomplete file
 * is a problem, as a sentence. `seq` asks for the hash of one of its rows.
 */
export async function checkArchiveFile(folder: string, archive: AuditArchive, seq?: number): Promise<CheckedFile> {
  const name = fileNameOf(archive)
  const sha256 = createHash('sha256')
  let last: AuditAnchor = { seq: archive.first_seq - 1, hash: archive.hash_before }
  let hashOf: string | undefined
  /** The line after the last row ends the chain, so a line is hashed when its successor is there. */
  async function readLines(lines: AsyncIterable<Buffer>): Promise<void> {
    let isFirst = true
    let waiting: Buffer | undefined
    for await (const line of lines) {
      if (waiting !== undefined) {
        const hash = createHash('sha256').update(Buffer.from(last.hash, 'hex')).update(waiting).digest('hex')
        last = { seq: last.seq + 1, hash }
        if (last.seq === seq) hashOf = hash
      }
      if (!isFirst) waiting = line
      isFirst = false
    }
  }
  try {
    await pipeline(
      createReadStream(path.join(folder, name)),
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          sha256.update(part)
          yield part
        }
      },
      createGunzip(),
      linesOf,
      readLines,
    )
  } catch (error) {
    return { problem: `${name} ${problemOf(error)}` }
  }
  if (last.seq !== archive.last_seq || last.hash !== archive.hash_after)
    return { problem: `${name} was changed: its rows do not lead to the hash of row ${archive.last_seq}.` }
  if (sha256.digest('hex') !== archive.file_sha256)
    return { problem: `${name} was changed: its checksum is not that of the archive.` }
  return { problem: null, hashOf }
}

/**
 * The rows in the file of an archive, in order, each as an object with its columns. Throws for a file in which
 * `checkArchiveFile` finds a problem.
 */
export async function* archivedRows(folder: string, archive: AuditArchive): AsyncGenerator<Record<string, unknown>> {
  const { problem } = await checkArchiveFile(folder, archive)
  if (problem !== null) throw new StartError(problem)
  const parts = createReadStream(path.join(folder, fileNameOf(archive))).pipe(createGunzip())
  for await (const line of linesOf(parts)) {
    const row: unknown = JSON.parse(line.toString())
    // The first and the last line are objects.
    if (Array.isArray(row)) yield Object.fromEntries(HASHED_COLUMNS.map((column, n) => [column, row[n]]))
  }
}

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return 'is missing.'
  if (code.startsWith('Z_')) return 'was changed: it cannot be decompressed.'
  throw error
}

/** The lines of a text, without their line breaks. */
async function* linesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    const text = rest.length === 0 ? part : Buffer.concat([rest, part])
    let start = 0
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, start)) {
      yield text.subarray(start, end)
      start = end + 1
    }
    rest = text.subarray(start)
  }
  if (rest.length > 0) yield rest
}

const NEWLINE = 10
