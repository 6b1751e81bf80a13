import { readdirSync, readFileSync } from 'node:fs'

// Processor time of processes, as Linux counts it.

/** Processor time of PostgreSQL in milliseconds: of the first process, its ended children and its running children. */
export function clusterMs(postmaster: number): number {
  const { ownMs, endedMs } = statOf(postmaster)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(Number(pid)))
  return children.reduce((sum, child) => (child.parent === postmaster ? sum + child.ownMs : sum), ownMs + endedMs)
}

/** The parent of a process, its processor time, and the time of its ended children, in milliseconds. */
export function statOf(pid: number): { parent: number; ownMs: number; endedMs: number } {
  try {
    // The fields after the name in parentheses; times are in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ').map(Number)
    const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    return { parent, ownMs: (user + system) * 10, endedMs: (endedUser + endedSystem) * 10 }
  } catch {
    // The process has ended.
    return { parent: 0, ownMs: 0, endedMs: 0 }
  }
}
