import { existsSync } from 'node:fs'
import { createRequire, flushCompileCache } from 'node:module'
import { type Account, accountCan, unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { StartError } from '@switchboard/database/start/start-error'
import { IS_RELEASE } from '#src/settings/commands.ts'
import { connectionFiles } from '#src/settings/connection-files.ts'

/** Files that a running server reads: code, packages, and Node for child processes. */
const CODE = [import.meta.filename, createRequire(import.meta.url).resolve('fastify'), process.execPath]

/**
 * The reason why a process started as root stays root: a file of a checkout that `account` cannot read, because only
 * root can enter a folder above it. Undefined if the process can give up root. Throws a StartError if `account` cannot
 * read a file of the database connection or of a release.
 */
export function unreadableCheckout(account: Account): string | undefined {
  const file = connectionFiles().find((each) => !canRead(account, each))
  if (file !== undefined) throw unreadableError(account, file)
  const code = CODE.find((each) => !canRead(account, each))
  if (code !== undefined && IS_RELEASE) throw unreadableError(account, code)
  return code
}

/** Gives up root permanently: the process continues as `account`. */
export function dropRoot(account: Account): void {
  // The account may not write to the cache folder.
  flushCompileCache()
  process.setgroups?.([account.gid])
  process.setgid?.(account.gid)
  process.setuid?.(account.uid)
}

/** The account for a child process of a server that is still root. Undefined: the account of the server. */
export function accountOfChild(): Account | undefined {
  const account = unprivilegedAccount()
  return account !== undefined && CODE.every((file) => canRead(account, file)) ? account : undefined
}

/** Whether `account` can read an existing file. A missing file is no obstacle. */
function canRead(account: Account, file: string): boolean {
  return !existsSync(file) || accountCan(account, 'test -r "$1"', file)
}

function unreadableError({ uid }: Account, file: string): StartError {
  return new StartError(
    `Started as root, the servers become user ${uid}, who cannot read ${file}. Let this user read it, or start the servers as a user who can.`,
  )
}
