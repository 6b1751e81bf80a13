import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { allMigrations } from '@switchboard/database/migrate'
import { fileError, StartError } from '@switchboard/database/start/start-error'
import { VERSION } from '@switchboard/server/settings/version'
import { z } from 'zod'

// A backup is one file: a line of JSON, a script of psql's COPY statements with their rows, compressed by Zstandard, and
// a line with the SHA-256 of everything before it.

const FORMAT = 1

/** The last line: a line break, the name of the digest, 64 hexadecimal digits, a line break. */
const LAST_LINE = /^\nsha256 ([\da-f]{64})\n$/
const LAST_LINE_BYTES = 73

/** Longest first line, in bytes. */
const FIRST_LINE_MAX = 65_536

const backupHeader = z.object({
  /** Version of this format. */
  switchboard_backup: z.literal(FORMAT),
  /** Version of the Switchboard that made the backup. */
  version: z.string(),
  /** The newest migration of the database. */
  migration: z.string(),
  /** Time of the snapshot by the clock of the database, ISO 8601. */
  made_at: z.string(),
  /** Version of PostgreSQL. */
  postgresql: z.string(),
  /** The end of the audit log, as `npm run audit:verify` prints it. */
  audit_end: z.object({ seq: z.number(), hash: z.string() }),
  /** Last values of the sequences. */
  sequences: z.record(z.string(), z.number()),
})
export type BackupHeader = Omit<z.infer<typeof backupHeader>, 'switchboard_backup'>

/** Only these fields decide about the rest of a header. */
const anyHeader = z.object({ switchboard_backup: z.number(), version: z.string() })

/**
 * Writes a backup and replaces `file` when the backup is complete. Only the owner may read the file. Throws a StartError for
 * an error of the file system.
 */
export async function writeBackupFile(
  file: string,
  header: BackupHeader,
  script: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const draft = `${file}.part`
  try {
    // Another mode of an older draft would remain.
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    try {
      await writeContent(handle, header, script)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw fileError(error, file)
  }
}

async function writeContent(
  handle: FileHandle,
  header: BackupHeader,
  script: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const hash = createHash('sha256')
  const append = async (part: string | Uint8Array) => {
    hash.update(part)
    await handle.appendFile(part)
  }
  await append(`${JSON.stringify({ switchboard_backup: FORMAT, ...header })}\n`)
  await pipeline(script, createZstdCompress(), async (compressed: AsyncIterable<Uint8Array>) => {
    for await (const part of compressed) await append(part)
  })
  await handle.appendFile(`\nsha256 ${hash.digest('hex')}\n`)
}

/** A checked backup. */
export type BackupFile = {
  header: BackupHeader
  /** Calls `read` with the script. */
  readScript: (read: (script: AsyncIterable<Buffer>) => Promise<void>) => Promise<void>
}

/**
 * Reads the whole file and compares its checksum. Throws a StartError for a missing or damaged file, and for a file of a newer
 * release.
 */
export async function openBackupFile(file: string): Promise<BackupFile> {
  const handle = await open(file).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${codeOf(error)}).`, { cause: error })
  })
  try {
    const { header, start } = await readHeader(handle, file)
    if (!(await allMigrations()).includes(header.migration)) throw newerError(file, header.migration)
    const { size } = await handle.stat()
    const end = size - LAST_LINE_BYTES
    if (!(await hasItsChecksum(handle, end)))
      throw new StartError(
        `${file} is damaged or incomplete: its checksum does not match. Use another copy or another backup.`,
      )
    return {
      header,
      readScript: async (read) =>
        await pipeline(createReadStream(file, { start, end: end - 1 }), createZstdDecompress(), read),
    }
  } finally {
    await handle.close()
  }
}

async function readHeader(handle: FileHandle, file: string): Promise<{ header: BackupHeader; start: number }> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_LINE_MAX), { position: 0 })
  const length = buffer.subarray(0, bytesRead).indexOf('\n')
  const value = jsonOf(buffer.toString('utf8', 0, Math.max(length, 0)))
  const { data: any } = anyHeader.safeParse(value)
  if (any === undefined) throw new StartError(`${file} is not a backup of Switchboard, or its beginning is damaged.`)
  if (any.switchboard_backup > FORMAT) throw newerError(file, `version ${any.version}`)
  const { data } = backupHeader.safeParse(value)
  if (data === undefined) throw new StartError(`${file} is damaged: its first line is incomplete.`)
  const { switchboard_backup: _format, ...header } = data
  return { header, start: length + 1 }
}

function newerError(file: string, what: string): StartError {
  return new StartError(
    `${file} is of a newer Switchboard (${what}) than this one (${VERSION}). Restore it with the newer one.`,
  )
}

async function hasItsChecksum(handle: FileHandle, end: number): Promise<boolean> {
  if (end <= 0) return false
  const { buffer } = await handle.read(Buffer.alloc(LAST_LINE_BYTES), { position: end })
  const [, written] = LAST_LINE.exec(buffer.toString('latin1')) ?? []
  if (written === undefined) return false
  const hash = createHash('sha256')
  for await (const part of handle.createReadStream({ start: 0, end: end - 1, autoClose: false })) hash.update(part)
  return hash.digest('hex') === written
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
