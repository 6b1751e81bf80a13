import { existsSync } from 'node:fs'
import { createRequire, flushCompileCache } from 'node:module'
import { type Account, accountCan, unprivilegedAccount } from '@switchboard/database/embedded/account'
import { connectionFiles } from './env.ts'

/** Files that are read while a server runs: its own code, its packages, and Node for the processes that it starts. */
const CODE = [import.meta.filename, createRequire(import.meta.url).resolve('fastify'), process.execPath]

/**
 * Gives up root for good: the process goes on as `account`. Returns undefined, or the first file that the account cannot
 * read, such as one in a checkout below a folder that root alone may enter: then the process stays root.
 */
export function dropRoot(account: Account): string | undefined {
  const unreadable = [...CODE, ...connectionFiles()].find((file) => existsSync(file) && !canRead(account, file))
  if (unreadable !== undefined) return unreadable
  // Later, the account could not write the cache any more.
  flushCompileCache()
  process.setgroups?.([account.gid])
  process.setgid?.(account.gid)
  process.setuid?.(account.uid)
  return undefined
}

/** The account for a process that a server starts before it has given up root. Undefined: the account of the server. */
export function accountOfChild(): Account | undefined {
  const account = unprivilegedAccount()
  return account !== undefined && CODE.every((file) => canRead(account, file)) ? account : undefined
}

function canRead(account: Account, file: string): boolean {
  return accountCan(account, 'test -r "$1"', file)
}
