import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileError, StartError } from '@switchboard/database/start/start-error'

/** Result codes of SQLite (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5
const SQLITE_FULL = 13
const SQLITE_NOTADB = 26

/**
 * Locks a data folder for this process, and creates the folder if missing. Returns the release of the lock. A second
 * process gets a StartError that names the first. The lock is the kernel's own (`fcntl`, or `LockFileEx` on Windows),
 * through an SQLite file because Node has no call for such a lock. So exactly one of two simultaneous starts wins, and
 * a killed process holds no lock: no pid is compared, so no reused pid matters. `server.pid` serves people and the
 * sentence.
 */
export function lockFolder(folder: string): () => void {
  let database: DatabaseSync | undefined
  try {
    makeFolder(folder)
    const file = join(folder, 'server.lock')
    // Another user with read access could lock the file. SQLite would create a readable file.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    const locked = (database = new DatabaseSync(file))
    // With a journal on disk, a killed process would leave the journal behind.
    locked.exec('PRAGMA journal_mode = memory; BEGIN EXCLUSIVE')
    writeFileSync(join(folder, 'server.pid'), `${process.pid}\n`)
    return () => {
      removePid(folder)
      locked.close()
    }
  } catch (error) {
    database?.close()
    throw isSqliteError(error)
      ? new StartError(lockSentence(error.errcode, folder), { cause: error })
      : fileError(error, folder)
  }
}

function removePid(folder: string): void {
  try {
    rmSync(join(folder, 'server.pid'), { force: true })
  } catch {
    // A process that is not root may lack the right to write in a folder with other files. Only the lock counts.
  }
}

/** Node's recursive mkdir never returns below /proc. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // A simultaneous start may have created the folder.
    if (!isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
}

function lockSentence(errcode: number, folder: string): string {
  // The low byte is the result code; the rest refines it.
  const code = errcode & 0xff
  if (code === SQLITE_BUSY) return `Another Switchboard${holder(folder)} is using ${folder}. Stop it first.`
  if (code === SQLITE_FULL) return `The disk of ${folder} is full.`
  if (code === SQLITE_NOTADB)
    return `${join(folder, 'server.lock')} is no file of Switchboard: is ${folder} the folder of another program?`
  return `${folder} cannot be written by this user.`
}

function holder(folder: string): string {
  try {
    return ` (pid ${readFileSync(join(folder, 'server.pid'), 'utf8').trim()})`
  } catch {
    // The other process has not written its pid yet.
    return ''
  }
}
