import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Account } from './account.ts'
import { StartError } from '@switchboard/database/start/start-error'

/**
 * `sh -c WATCHDOG sh FOLDER COMMAND ARGS…` runs a command while the other end of its standard input is open. Only this
 * process holds the other end, so the end closes when Node ends, even after a kill. Then the command gets SIGINT
 * (PostgreSQL's fast shutdown), and the shell waits and ends with the command's exit code.
 */
const WATCHDOG = `
trap '' INT TERM HUP
folder=$1
shift
exec 3<&0 </dev/null
"$@" 3<&- &
command=$!
(read -r line <&3; kill -INT $command 2>/dev/null) &
reader=$!
wait $command
code=$?
exec 2>/dev/null
kill -KILL $reader
wait $reader
[ -z "$folder" ] || rm -rf "$folder"
exit $code`

export type Watched = {
  /** The exit code, after the end of the command and the removal of the folder. */
  exited: Promise<number>
  stderr: Readable | null
  /** Closes the pipe, as a kill of this process would. */
  stop(): void
}

export type WatchOptions = {
  account: Account | undefined
  /** Removed after the end of the command; empty for no folder. */
  folder: string
  /** An open file for standard error, or `pipe`. */
  stderr: number | 'pipe'
  env?: Record<string, string>
}

/** Starts a command that ends soon after this process (POSIX only). */
export function watch(command: string, args: string[], { account, folder, stderr, env }: WatchOptions): Watched {
  const shell = spawn('/bin/sh', ['-c', WATCHDOG, 'sh', folder, command, ...args], {
    ...account,
    cwd: '/',
    // A separate process group: Ctrl-C in the terminal reaches only Node, which stops all parts in order.
    detached: true,
    stdio: ['pipe', 'ignore', stderr],
    // A clean environment, because PGDATA, PGOPTIONS and the like would change PostgreSQL.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...env },
  })
  // A write after the end of the shell fails with EPIPE.
  shell.stdin?.on('error', () => {})
  const exited = new Promise<number>((resolve, reject) => {
    shell.on('error', (error) =>
      reject(new StartError(`PostgreSQL cannot be run: ${error.message}.`, { cause: error })),
    )
    shell.on('close', (code) => resolve(code ?? 1))
  })
  return { exited, stderr: shell.stderr, stop: () => shell.stdin?.end() }
}
