import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@switchboard/database/start/start-error'
import { START_MS } from '@switchboard/database/start/until-started'

/** Content of `postmaster.pid` (miscadmin.h of PostgreSQL). */
export type PostmasterFile = { pid: number; socketFolder: string; isReady: boolean }

/** The content of `postmaster.pid`, or undefined when the file is missing or incomplete. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const [pid, , , , socketFolder = '', , , state = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split(
      '\n',
    )
    return Number(pid) > 0 ? { pid: Number(pid), socketFolder, isReady: state.trim() === 'ready' } : undefined
  } catch {
    return undefined
  }
}

/** Signals in order, each with the time until the next one. */
const SIGNALS = [
  { signal: 'SIGINT', patienceMs: 20_000 },
  // After SIGQUIT, PostgreSQL recovers the data at its next start. A busy machine is slow to end processes.
  { signal: 'SIGQUIT', patienceMs: START_MS },
] as const

/**
 * Ends the PostgreSQL that a killed Switchboard left over `cluster`. Its watchdog sends the same signal; a second signal
 * is harmless and covers a killed watchdog. Only the owner of the data folder may call this function.
 */
export async function endOrphan(cluster: string): Promise<void> {
  const pid = readPostmasterFile(cluster)?.pid
  if (pid === undefined) return
  for (const { signal, patienceMs } of SIGNALS) {
    if (await endsAfter(signal, pid, cluster, patienceMs)) return
  }
  throw new StartError(`A PostgreSQL left behind (pid ${pid}) does not end. Stop it first.`)
}

async function endsAfter(signal: NodeJS.Signals, pid: number, cluster: string, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  if (isPostmasterOf(pid, cluster)) send(signal, pid)
  while (isPostmasterOf(pid, cluster)) {
    if (performance.now() > deadline) return false
    await sleep(10)
  }
  return true
}

/** Sends a signal, also to an ended process. */
export function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already ended.
  }
}

/**
 * The pid in a stale `postmaster.pid` if the system has since assigned that pid to another process. PostgreSQL would
 * take that process for a running server and refuse to start. With the pid as its own ancestor (PG_GRANDPARENT_PID,
 * made for `pg_ctl`), PostgreSQL starts, and still checks that no old backend holds the shared memory.
 */
export function pidOfOtherProcess(cluster: string): number | undefined {
  const pid = readPostmasterFile(cluster)?.pid
  return pid === undefined || isPostmasterOf(pid, cluster) ? undefined : pid
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  return process.platform === 'linux' ? worksIn(pid, cluster) : wasStartedFor(cluster, commandOf(pid))
}

/** The working directory of a postmaster is its cluster, also after a rename of the checkout. */
function worksIn(pid: number, cluster: string): boolean {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return hasDirectory(pid, cluster) ?? wasStartedFor(cluster, command)
  } catch {
    // The process has ended.
    return false
  }
}

/** Undefined without permission: in a container, root may not inspect processes of other accounts. */
function hasDirectory(pid: number, cluster: string): boolean | undefined {
  try {
    const here = statSync(cluster)
    const there = statSync(`/proc/${pid}/cwd`)
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    return name === 'postgres' && here.dev === there.dev && here.ino === there.ino
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return undefined
    throw error
  }
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).stdout
}

function wasStartedFor(cluster: string, command: string): boolean {
  const [program = ''] = command.split(' -D ')
  return basename(program) === 'postgres' && command.includes(` -D ${cluster} `)
}
