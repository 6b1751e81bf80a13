import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { allMigrations, schemaHash } from '@switchboard/database/migrate'
import { fileError, StartError } from '@switchboard/database/start/start-error'
import type { SecretKey, SecretKeys } from '@switchboard/database/stored-secrets/encryption'
import { namesOfKeys } from '@switchboard/database/stored-secrets/stored-secrets'
import { VERSION } from '@switchboard/server/settings/version'
import { z } from 'zod'
import { isSignatureOf, signatureOf } from './signature.ts'

// A backup is one file: a line of JSON, a psql script of COPY statements with their rows, compressed with Zstandard,
// and a line with the SHA-256 of everything before it. If SECRETS_KEY is set, a last line has the id of this key and a
// signature.

const FORMAT = 4

/** The last lines, after a line break. */
const LAST_LINES = /\nsha256 ([\da-f]{64})\n(?:hmac-sha256 ([\da-f]{8}) ([\da-f]{64})\n)?$/
const LAST_LINES_MAX = 160

/** Longest first line, in bytes. */
const FIRST_LINE_MAX = 65_536

/** A text that is safe to print on a terminal. */
const printable = z.string().regex(/^[\w.:+-]{1,100}$/)

const backupHeader = z.object({
  /** Version of this format. */
  switchboard_backup: z.literal(FORMAT),
  /** Version of the Switchboard that made the backup. */
  version: printable,
  /** The newest migration of the database. */
  migration: printable,
  /** Hash of the texts of its migrations. */
  schema_sha256: z.string(),
  /** Time of the snapshot by the clock of the database, ISO 8601. */
  made_at: printable,
  /** Version of PostgreSQL. */
  postgresql: z.string(),
  /** The end of the audit log, as `npm run audit:verify` prints it. */
  audit_end: z.object({ seq: z.int().min(0), hash: z.string() }),
  /** Last values of the sequences. */
  sequences: z.record(z.string(), z.int().min(1)),
  /** Number of rows of each table, counted in the database. */
  rows: z.record(z.string(), z.int().min(0)),
})
export type BackupHeader = Omit<z.infer<typeof backupHeader>, 'switchboard_backup'>

/** Only these fields decide about the rest of a header. */
const anyHeader = z.object({ switchboard_backup: z.number(), version: printable })

/** The rest of a backup after its header. */
type Content = { header: BackupHeader; script: AsyncIterable<string | Uint8Array>; key: SecretKey | null }

/**
 * Writes a backup to a new file or to a stream, which stays open, and signs it with `key` unless `key` is null. Returns
 * its bytes. Replaces an existing file when the backup is complete; only the owner of the file may read it. Throws a
 * StartError for an error of the file system.
 */
export async function writeBackup(target: string | Writable, content: Content): Promise<number> {
  if (typeof target !== 'string') return await writeTo(target, content, { end: false })
  return await writeFile(target, content).catch((error: unknown) => {
    throw fileError(error, path.dirname(target))
  })
}

async function writeFile(file: string, content: Content): Promise<number> {
  const draft = `${file}.part`
  // Otherwise an older draft would keep its file mode.
  await rm(draft, { force: true })
  try {
    const stream = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    const bytes = await writeTo(stream, content, { end: true })
    await rename(draft, file)
    return bytes
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeTo(stream: Writable, content: Content, options: { end: boolean }): Promise<number> {
  let bytes = 0
  async function* counted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      bytes += part.length
      yield part
    }
  }
  const { script, header, key } = content
  await pipeline(
    script,
    createZstdCompress(),
    (compressed) => fileOf(compressed, header, key),
    counted,
    stream,
    options,
  )
  return bytes
}

async function* fileOf(
  compressed: AsyncIterable<Uint8Array>,
  header: BackupHeader,
  key: SecretKey | null,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const first = Buffer.from(`${JSON.stringify({ switchboard_backup: FORMAT, ...header })}\n`)
  hash.update(first)
  yield first
  for await (const part of compressed) {
    hash.update(part)
    yield part
  }
  const sha256 = hash.digest()
  yield Buffer.from(`\nsha256 ${sha256.toString('hex')}\n`)
  if (key !== null)
    yield Buffer.from(`hmac-sha256 ${key.id.toString('hex')} ${signatureOf(key, sha256).toString('hex')}\n`)
}

/** A checked backup. */
export type BackupFile = {
  header: BackupHeader
  /** Size of the file. */
  bytes: number
  /** Whether a known key has signed the file. */
  isSigned: boolean
  /** Calls `read` with the script. Throws a StartError at the end if the file has changed since it was checked. */
  readScript: (read: (script: AsyncIterable<Buffer>) => Promise<void>) => Promise<void>
}

/** The known keys, and whether to accept a file that none of them has signed. */
type Trust = { keys: SecretKeys; acceptsUnsigned?: boolean }

/**
 * Reads the whole file and checks its checksum and its signature. Throws a StartError for a missing or damaged file,
 * for a file of a newer release or of an unreleased state, and for a file that is not trusted.
 */
export async function openBackupFile(file: string, trust: Trust): Promise<BackupFile> {
  const handle = await open(file).catch((error: unknown) => {
    throw new StartError(`${file} cannot be read (${codeOf(error)}).`, { cause: error })
  })
  try {
    const { header, start } = await readHeader(handle, file)
    if (!(await allMigrations()).includes(header.migration)) throw newerError(file, header.migration)
    if (header.schema_sha256 !== (await schemaHash(header.migration))) throw unreleasedError(file)
    const last = await checkedLastLines(handle, file)
    const isSigned = checkSignature(file, last, trust)
    async function* scriptOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let place = 0
      const hash = createHash('sha256')
      for await (const part of parts) {
        hash.update(part)
        if (place + part.length > start) yield part.subarray(Math.max(0, start - place))
        place += part.length
      }
      if (!hash.digest().equals(last.sha256))
        throw new StartError(`${file} was changed while it was read. Nothing is restored.`)
    }
    const readScript: BackupFile['readScript'] = async (read) =>
      await pipeline(createReadStream(file, { end: last.start - 1 }), scriptOf, createZstdDecompress(), read)
    return { header, bytes: last.size, isSigned, readScript }
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
  if (any.switchboard_backup < FORMAT) throw unreleasedError(file)
  const { data } = backupHeader.safeParse(value)
  if (data === undefined) throw new StartError(`${file} is damaged: its first line is incomplete.`)
  const { switchboard_backup: _format, ...header } = data
  return { header, start: length + 1 }
}

function unreleasedError(file: string): StartError {
  return new StartError(
    `${file} was made by an unreleased state of Switchboard, whose tables were different. Restore it with that state.`,
  )
}

function newerError(file: string, what: string): StartError {
  return new StartError(
    `${file} is of a newer Switchboard (${what}) than this one (${VERSION}). Restore it with the newer one.`,
  )
}

/** The last lines of a file and their position. */
type LastLines = { size: number; start: number; sha256: Buffer; signature: { key_id: string; hmac: Buffer } | null }

/** Reads the last lines and compares the checksum with the whole file. */
async function checkedLastLines(handle: FileHandle, file: string): Promise<LastLines> {
  const { size } = await handle.stat()
  const position = Math.max(0, size - LAST_LINES_MAX)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LAST_LINES_MAX), { position })
  const found = LAST_LINES.exec(buffer.toString('latin1', 0, bytesRead))
  const [, written = '', key_id, hmac = ''] = found ?? []
  const start = position + (found?.index ?? 0)
  const hash = createHash('sha256')
  if (start > 0)
    for await (const part of handle.createReadStream({ start: 0, end: start - 1, autoClose: false })) hash.update(part)
  const sha256 = hash.digest()
  if (sha256.toString('hex') !== written)
    throw new StartError(
      `${file} is damaged or incomplete: its checksum does not match. Use another copy or another backup.`,
    )
  return { size, start, sha256, signature: key_id === undefined ? null : { key_id, hmac: Buffer.from(hmac, 'hex') } }
}

/**
 * Whether a known key has signed the file. Throws a StartError for a wrong signature, and for a file that is not
 * trusted.
 */
function checkSignature(file: string, { sha256, signature }: LastLines, { keys, acceptsUnsigned = false }: Trust) {
  const known = [...(keys.current === null ? [] : [keys.current]), ...keys.old]
  const key = known.find(({ id }) => id.toString('hex') === signature?.key_id)
  if (key !== undefined && signature !== null) {
    if (isSignatureOf(key, sha256, signature.hmac)) return true
    throw new StartError(
      `${file} was changed after the backup: its signature does not match. Use another copy or another backup.`,
    )
  }
  if (acceptsUnsigned || (signature === null && keys.current === null)) return false
  const problem =
    signature === null
      ? 'is not signed, although SECRETS_KEY is set, so someone may have changed it.'
      : `is signed with the key ${signature.key_id}, but ${namesOfKeys(keys)}. Add that key to SECRETS_KEY_OLD.`
  throw new StartError(
    `${file} ${problem} Restore it with --unsigned only if nobody else could write it (docs/operate/restore.md).`,
  )
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
