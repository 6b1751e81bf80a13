import { openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A longer log is moved aside at the next start, in bytes. */
const LOG_MAX = 1_000_000

/** The log of one start of PostgreSQL. */
export type ServerLog = {
  path: string
  /** Closed after the server has inherited the file. */
  fd: number
  /** The reason of a failed start. */
  reason(): string
}

/** Opens `postgres.log` in `folder`. With `postgres.log.1`, at most the last starts and crashes are kept. */
export function openLog(folder: string): ServerLog {
  const path = join(folder, 'postgres.log')
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const start = size > LOG_MAX ? 0 : size
  if (size > LOG_MAX) renameSync(path, `${path}.1`)
  return {
    path,
    fd: openSync(path, 'a', 0o600),
    reason: () => reasonIn(readFileSync(path).subarray(start).toString('utf8')),
  }
}

/** The reason for a failure in the output of initdb or postgres: one line without time, pid and program. */
export function reasonIn(output: string): string {
  if (/No space left on device|free disk space/.test(output)) return 'the disk is full'
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/ (LOG|HINT|DETAIL): /.test(line))
  const line = lines.find((each) => /FATAL:|PANIC:|error:/.test(each)) ?? lines[0] ?? 'it gave no reason'
  return line.replace(/^.*?(FATAL|PANIC|error|postgres):\s*/, '').trim()
}
