import { statfs } from 'node:fs/promises'
import { unprivilegedAccount } from '@switchboard/embedded-postgres/account'
import { unreadableCheckout } from '@switchboard/server/process/drop-root'
import type { Settings } from '@switchboard/server/settings/env'
import { type Check, failed, ok, warning } from './finding.ts'

const LOW_BYTES = 2_000_000_000
const FULL_BYTES = 200_000_000

/** Checks of the machine. */
export function machineChecks({ databaseUrl, dataDir }: Settings): Check[] {
  return [
    ...(process.getuid?.() === 0 ? [['account', checkAccount] satisfies Check] : []),
    ...(databaseUrl === undefined ? [['disk', () => checkDisk(dataDir)] satisfies Check] : []),
  ]
}

/** Whether servers that root starts give up root. */
function checkAccount() {
  const account = unprivilegedAccount()
  if (account === undefined) return ok('This user is not root.')
  const unreadable = unreadableCheckout(account)
  return unreadable === undefined
    ? ok(`Servers that root starts become user ${account.uid}.`)
    : warning(
        `Servers that root starts stay root, because user ${account.uid} cannot read ${unreadable}. Move the checkout to a folder that all users can enter.`,
      )
}

/** The free space on the disk of a folder. */
export async function checkDisk(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${Math.round(free / 1_000_000).toLocaleString('en')} MB are free on the disk of ${folder}.`
  if (free < FULL_BYTES) return failed(`${text} PostgreSQL stops when it is full. Free space now.`)
  return free < LOW_BYTES ? warning(`${text} Free space, or move DATA_DIR.`) : ok(text)
}
