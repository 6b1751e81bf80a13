import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartError } from '@switchboard/database/start/start-error'

/** An account of the operating system, for the options of `spawn`. */
export type Account = { uid: number; gid: number }

/** Ids unused by Debian and systemd. Containers need ids below 65,536. */
const FREE_IDS = { first: 65_528, last: 65_520 }

/**
 * The account for a process started as root: its id belongs to no user of the machine, so no other program runs under
 * the id. Undefined when this process is not root.
 */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const taken = passwdEntries().map(({ uid }) => uid)
  for (let id = FREE_IDS.first; id >= FREE_IDS.last; id -= 1) if (!taken.includes(id)) return { uid: id, gid: id }
  throw new StartError(`All user ids from ${FREE_IDS.last} to ${FREE_IDS.first} are taken. Set DATABASE_URL.`)
}

/**
 * The account for `initdb`, because `initdb` refuses a user id without an entry in /etc/passwd. Its group is the group
 * of `account`, so other processes of the user cannot enter a folder that is open only to the group.
 */
export function initdbAccount(account: Account): Account {
  const users = passwdEntries().filter(({ uid }) => uid !== 0)
  const user = users.find(({ name }) => name === 'nobody') ?? users[0]
  if (user === undefined)
    throw new StartError('PostgreSQL does not run as root, and /etc/passwd names no other user. Set DATABASE_URL.')
  return { uid: user.uid, gid: account.gid }
}

/** Whether several programs of the machine run under the user id. */
export function isSharedUser(uid: number): boolean {
  return passwdEntries().some((entry) => entry.uid === uid && ['postgres', 'nobody'].includes(entry.name))
}

function passwdEntries(): { name: string; uid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).map(([name = '', , uid]) => ({ name, uid: Number(uid ?? Number.NaN) }))
}

/**
 * Whether a shell script succeeds as `account`. The kernel considers mode bits, access lists, mounts and
 * root-squashing, while reading mode bits would be a guess.
 */
export function accountCan(account: Account | undefined, script: string, ...args: string[]): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', script, 'sh', ...args], { ...account, cwd: '/', stdio: 'ignore' })
  return status === 0
}
