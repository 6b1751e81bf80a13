import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartError } from '#src/start-error.ts'

/** The operating-system account that PostgreSQL runs as; spread it into `spawn`. */
export type Account = { uid: number; gid: number }

/** Who PostgreSQL has to run as, because it refuses to run as root. Undefined when this process is not root. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartError(
    'PostgreSQL does not run as root, and /etc/passwd names neither postgres nor nobody. Set DATABASE_URL.',
  )
}

/**
 * Whether a shell script succeeds when `account` runs it. Asking the kernel counts in mode bits, access lists, mounts
 * and root-squashing alike, where reading mode bits would guess.
 */
export function accountCan(account: Account | undefined, script: string, ...args: string[]): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { ...account, cwd: '/', stdio: 'ignore' })
  return status === 0
}
