import { createPublicKey, type KeyObject } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Kysely } from 'kysely'
import { fileError, StartError } from '#src/start/start-error.ts'
import type { Database } from '#src/tables.ts'
import type { AuditAnchor } from './audit-anchor.ts'
import { storedHash } from './audit-chain.ts'
import { type AuditFile, type FileRow, readAuditFile } from './audit-file.ts'
import { deletedEnd, endOfMonth } from './deleted-months.ts'
import { deletedMonths } from './deleted-months.queries.ts'

/** The name of a file, with the number of its first row. */
const NAME = /^audit-\d{4}-\d\d-\d\d-(\d+)-[\da-f]{12}\.ndjson\.gz$/

/** The public key of the log sink that writes files, if there is one. */
export async function publicKeysOf(db: Kysely<Database>): Promise<KeyObject[]> {
  const sinks = await db.selectFrom('log_sinks').select('public_key').where('kind', '=', 'file').execute()
  return sinks.flatMap(({ public_key }) => (public_key === null ? [] : [createPublicKey(public_key)]))
}

/**
 * Compares the files in a folder with the log: all of them by their signatures and their chain, the deleted rows by the hashes
 * that the log has of them, and the last row by its hash. Returns the first and the last row of the files. Throws a StartError
 * about the first problem. `noted` is an end of the log that was noted earlier.
 */
export async function checkAuditFiles(
  db: Kysely<Database>,
  folder: string,
  { publicKeys, noted }: { publicKeys: readonly KeyObject[]; noted?: AuditAnchor | undefined },
): Promise<{ first: number; last: number } | null> {
  let first: number | null = null
  let last: AuditAnchor | null = null
  const rows = comparedRows(db, auditFilesIn(folder, publicKeys))
  for await (const row of rows) {
    if (row.seq === noted?.seq && row.hash !== noted.hash)
      throw new StartError(`Row ${row.seq} differs from the noted row.`)
    first ??= row.seq
    last = row
  }
  if (first === null || last === null) return null
  const hash = await storedHash(db, last.seq)
  if (hash !== undefined && hash !== last.hash)
    throw new StartError(`Row ${last.seq} of the files differs from the log.`)
  return { first, last: last.seq }
}

/**
 * The rows that were deleted from the log, from the files in a folder. The log has the hash of the last row of each month,
 * which proves the others. Throws a StartError for files that do not lead to these hashes.
 */
export async function* deletedRows(db: Kysely<Database>, folder: string): AsyncGenerator<FileRow> {
  const end = deletedEnd(await deletedMonths(db))
  if (end.seq === 0) return
  for await (const row of comparedRows(db, auditFilesIn(folder, null))) {
    yield row
    if (row.seq === end.seq) return
  }
}

/** The rows of files, compared with the deleted months. Throws a StartError when the files end before these. */
async function* comparedRows(db: Kysely<Database>, files: AsyncIterable<AuditFile>): AsyncGenerator<FileRow> {
  const months = await deletedMonths(db)
  const ends = new Map(months.map(endOfMonth).map(({ seq, hash }) => [seq, hash]))
  const end = deletedEnd(months).seq
  let last = 0
  for await (const { before, rows } of files) {
    if (last === 0 && before.seq > 0 && end > 0)
      throw new StartError(
        `No file has the deleted rows from ${last + 1} on: the files begin with row ${before.seq + 1}.`,
      )
    for (const row of rows) {
      const hash = ends.get(row.seq)
      if (hash !== undefined && hash !== row.hash)
        throw new StartError(`Row ${row.seq} of the files differs from the row that was deleted from the log.`)
      yield row
      last = row.seq
    }
  }
  if (last < end) throw new StartError(`No file has the deleted rows from ${last + 1} to ${end}.`)
}

/**
 * The files of the audit log in a folder in the order of their rows, each of which continues the file before it. A file is
 * skipped if another one has all its rows, such as that of a former log sink. Throws a StartError for a missing, changed or
 * incomplete file.
 */
async function* auditFilesIn(folder: string, publicKeys: readonly KeyObject[] | null): AsyncGenerator<AuditFile> {
  let last: AuditAnchor | undefined
  for (const name of await namesIn(folder)) {
    const file = await readAuditFile(path.join(folder, name), publicKeys)
    const { before, end } = file
    if (last !== undefined && end.seq <= last.seq) continue
    if (last !== undefined && before.seq > last.seq)
      throw new StartError(`${name} does not continue the chain after row ${last.seq}: a file is missing.`)
    if (last !== undefined && (before.seq < last.seq || before.hash !== last.hash))
      throw new StartError(
        `${name} has other rows than the files before it. After a restore, move the files from before it away.`,
      )
    yield file
    last = end
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const firstSeqOf = (name: string) => Number(NAME.exec(name)?.[1])
  try {
    const names = (await readdir(folder)).filter((name) => NAME.test(name))
    return names.toSorted((one, other) => firstSeqOf(one) - firstSeqOf(other))
  } catch (error) {
    throw fileError(error, folder)
  }
}
