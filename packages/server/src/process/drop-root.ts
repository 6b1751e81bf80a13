import { existsSync } from 'node:fs'
import { createRequire, flushCompileCache } from 'node:module'
import { type Account, accountCan, unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { connectionFiles } from '#src/settings/connection-files.ts'

/** Files that a running server reads: code, packages, and Node for child processes. */
const CODE = [import.meta.filename, createRequire(import.meta.url).resolve('fastify'), process.execPath]

/**
 * Gives up root permanently: the process continues as `account`. Returns undefined, or the first file that the account
 * cannot read, such as a file in a checkout below a folder that only root can enter. The process then stays root.
 */
export function dropRoot(account: Account): string | undefined {
  const unreadable = [...CODE, ...connectionFiles()].find((file) => existsSync(file) && !canRead(account, file))
  if (unreadable !== undefined) return unreadable
  // The account may not write to the cache folder.
  flushCompileCache()
  process.setgroups?.([account.gid])
  process.setgid?.(account.gid)
  process.setuid?.(account.uid)
  return undefined
}

/** The account for a child process of a server that is still root. Undefined: the account of the server. */
export function accountOfChild(): Account | undefined {
  const account = unprivilegedAccount()
  return account !== undefined && CODE.every((file) => canRead(account, file)) ? account : undefined
}

function canRead(account: Account, file: string): boolean {
  return accountCan(account, 'test -r "$1"', file)
}
